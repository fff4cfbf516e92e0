import { aVirtualClock } from '@media-jobs/testing/virtual-clock';
import { costTable } from '@media-jobs/video/cost-model';
import type { Encoder } from '@media-jobs/video/ffmpeg';
import { expect, it, vi } from 'vitest';
import { learnFromJob, measuredCosts, timeRuns } from '../../../functions/transcode/forecast.ts';
import { memorySlowness } from '../../../lab/simulation/memory/encoder-slowness.ts';
import { aJobId, later } from '../../builders/jobs/jobs.ts';

const ref = { ownerId: 'owner-1', jobId: aJobId(1) };
const cost = {
  cpuSeconds: 80,
  serialSeconds: 0,
  finalCpuSeconds: 80,
  codecCpuSeconds: 80,
  outputBytes: 0,
  copiedBytes: 0,
  encoders: new Set(['libx264']),
};
const processors = { count: 1, slowness: 1.25 };
const failing = { read: () => Promise.reject(new Error('read')), write: () => Promise.reject(new Error('write')) };

it('the slowness of an encoder is measured by the time of its runs', async () => {
  const clock = aVirtualClock(later(0));
  const slowness = memorySlowness();
  const onUnexpected = vi.fn();
  const run = async () => {
    await clock.sleep(800_000);
    return { arguments: [], log: '' };
  };
  const timed = timeRuns({ run } as unknown as Encoder, clock);
  await timed.encoder.run({} as never, {} as never);
  await timed.encoder.run({} as never, {} as never);
  expect(timed.seconds()).toBe(1600);
  await learnFromJob({ slowness, processors, onUnexpected }, ref, { cost, table: costTable, seconds: 1600 });
  const table = await measuredCosts({ slowness, onUnexpected }, ref);
  expect(table).toEqual({ ...costTable, slowness: { libx264: 2 } });
  const ofOther = await measuredCosts({ slowness, onUnexpected }, { ...ref, ownerId: 'owner-2' });
  expect(ofOther.slowness).toEqual({ libx264: 1 });
  expect(onUnexpected).not.toHaveBeenCalled();
});

it('a job ends even if the measurements cannot be read or stored', async () => {
  const onUnexpected = vi.fn();
  const deps = { slowness: failing, processors, onUnexpected };
  const readable = { ...failing, read: async () => ({}) };
  expect(await measuredCosts(deps, ref)).toBe(costTable);
  await learnFromJob(deps, ref, { cost, table: costTable, seconds: 1600 });
  await learnFromJob({ ...deps, slowness: readable }, ref, { cost, table: costTable, seconds: 1600 });
  expect(onUnexpected.mock.calls).toEqual([
    [ref, new Error('read')],
    [ref, new Error('read')],
    [ref, new Error('write')],
  ]);
});
