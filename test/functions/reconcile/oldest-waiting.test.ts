import { aVirtualClock } from '@media-jobs/testing/virtual-clock';
import { beforeEach, expect, it } from 'vitest';
import { longJobsQueue } from '../../../core/jobs/queues.ts';
import type { JobRecord } from '../../../core/jobs/record.ts';
import type { RunningLimit } from '../../../core/jobs/running-limit.ts';
import { claim, requeueForLongLimit } from '../../../core/jobs/transitions.ts';
import { oldestWaiting } from '../../../functions/reconcile/oldest-waiting.ts';
import { type MemoryJobTable, memoryJobTable } from '../../../lab/simulation/memory/job-table.ts';
import { memoryRunningLimit } from '../../../lab/simulation/memory/running-limit.ts';
import { aJobId, aProcessingJob, aQueuedJob, later } from '../../builders/jobs/jobs.ts';

const minute = 60_000;
let jobs: MemoryJobTable;
let running: RunningLimit;
let measure: () => Promise<number>;

beforeEach(() => {
  jobs = memoryJobTable();
  running = memoryRunningLimit();
  measure = oldestWaiting({ jobs, queue: { running, maxRunningJobs: 2 }, clock: aVirtualClock(later(60 * minute)) });
});

const store = (job: JobRecord) => jobs.write({ job, guard: { absent: true } });

/** A job of an owner, created so many minutes after the first. */
const queuedAt = (minutes: number, ownerId: string, n = 1) =>
  aQueuedJob({ ownerId, jobId: aJobId(n, later(minutes * minute)), createdAt: later(minutes * minute) });

it('is 0 while no job waits', async () => {
  await store(aProcessingJob());
  expect(await measure()).toBe(0);
});

it('is the wait of the oldest job of any owner', async () => {
  for (const [minutes, ownerId] of [
    [50, 'a'],
    [20, 'b'],
    [40, 'b'],
    [30, 'c'],
  ] as const) {
    await store(queuedAt(minutes, ownerId));
  }
  expect(await measure()).toBe(40 * 60);
});

it('includes long jobs that wait under the limit, whose messages are gone', async () => {
  await store(queuedAt(50, 'a'));
  const { job } = requeueForLongLimit(aProcessingJob({ ownerId: 'b' }), later(10 * minute));
  expect(job.queue).toBe(longJobsQueue);
  await store(job);
  expect(await measure()).toBe(50 * 60);
});

it('begins with the last time that a job was queued', async () => {
  const { job } = requeueForLongLimit(aProcessingJob(), later(55 * minute));
  await store(job);
  expect(await measure()).toBe(5 * 60);
});

it('leaves out an owner whose jobs wait for its own running jobs', async () => {
  await store(queuedAt(20, 'full'));
  await store(queuedAt(40, 'other'));
  for (const n of [2, 3]) {
    const job = claim(queuedAt(n, 'full'), 'lease', later(n * minute)).job;
    await running.enter(job, { max: 2 });
  }
  expect(await measure()).toBe(20 * 60);
});

it('does not depend on a record that cannot be read', async () => {
  await store(queuedAt(20, 'a'));
  await store(queuedAt(30, 'b'));
  const get: MemoryJobTable['get'] = (ref) =>
    ref.ownerId === 'a' ? Promise.reject(new Error('The record cannot be parsed')) : jobs.get(ref);
  const clock = aVirtualClock(later(60 * minute));
  expect(await oldestWaiting({ jobs: { ...jobs, get }, queue: { running, maxRunningJobs: 2 }, clock })()).toBe(30 * 60);
});

it('reaches every owner of a line that is longer than one read, after several runs', async () => {
  for (let n = 1_001; n <= 2_500; n += 1) await store(queuedAt(50, `owner-${n}`, n));
  await store(queuedAt(10, 'the-last-owner'));
  expect(await measure()).toBe(10 * 60);
  expect(await measure()).toBe(50 * 60);
});
