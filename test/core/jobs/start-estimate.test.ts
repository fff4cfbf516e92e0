import { expect, it } from 'vitest';
import { estimateStart, startFromQueue } from '../../../core/jobs/locate-job.ts';
import { aProcessingJob, aQueuedJob, later } from '../../builders/jobs/jobs.ts';

const at = (seconds: number) => later(seconds * 1_000);
const starts = [0, 10, 20, 30].map((seconds) => at(seconds).getTime());

it('a waiting job starts after its position times the mean interval of the latest starts', () => {
  const estimate = estimateStart({ position: 3, starts, since: at(0), now: at(35) });
  expect(estimate).toEqual(at(60));
});

it('an interval that lasts longer than those before counts, and no estimate is in the past', () => {
  const late = estimateStart({ position: 1, starts, since: at(0), now: at(80) });
  expect(late).toEqual(at(80));
  expect(estimateStart({ position: 4, starts, since: at(0), now: at(80) })).toEqual(at(110));
});

it('the pace counts the latest 20 starts', () => {
  const slow = Array.from({ length: 30 }, (_, n) => at(n * 60).getTime());
  const fast = Array.from({ length: 20 }, (_, n) => at(2_000 + n).getTime());
  const estimate = estimateStart({ position: 10, starts: [...fast, ...slow], since: at(0), now: at(2_019) });
  expect(estimate).toEqual(at(2_029));
});

it('the pace is unknown with fewer than four starts since the line formed', () => {
  expect(estimateStart({ position: 1, starts, since: at(5), now: at(35) })).toBeUndefined();
  expect(estimateStart({ position: 1, starts: [], since: at(0), now: at(35) })).toBeUndefined();
});

it('a job that found a free worker, or was never claimed, does not count for the pace', () => {
  const createdAt = at(0).toISOString();
  const claimedAfter = (seconds: number) =>
    startFromQueue({ ...aProcessingJob(), createdAt, startedAt: at(seconds).toISOString() }, undefined);
  expect(claimedAfter(0.5)).toBeUndefined();
  expect(claimedAfter(3)).toBe(at(3).getTime());
  expect(startFromQueue(aQueuedJob(), undefined)).toBeUndefined();
});
