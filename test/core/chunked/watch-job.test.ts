import { expect, it, vi } from 'vitest';
import { watchJob } from '../../../core/chunked/watch-job.ts';
import type { JobTable } from '../../../core/jobs/ports.ts';
import type { JobIn } from '../../../core/jobs/record.ts';
import { cancel } from '../../../core/jobs/termination.ts';
import { requeue } from '../../../core/jobs/transitions.ts';
import { viewJob } from '../../../core/jobs/view.ts';
import { memoryJobTable } from '../../../lab/simulation/memory/job-table.ts';
import { aProcessingJob, later } from '../../builders/jobs/jobs.ts';
import { aParallelJob } from '../../builders/jobs/parallel-jobs.ts';
import { aSteppedClock } from '../../builders/jobs/stepped-clock.ts';
import { workerPorts } from '../../builders/jobs/worker-ports.ts';

const job = aParallelJob();
const watched = { ownerId: job.ownerId, jobId: job.jobId, leaseId: job.leaseId, chunk: 2 };
const ending = { now: later(7_000), webhookTarget: null, deliveryId: 'delivery-1' };

/** Watches a job in a table with some methods replaced. */
async function watching(differences: Partial<JobTable> = {}, stored = job) {
  const table = memoryJobTable();
  await table.write({ guard: { absent: true }, job: stored });
  const recordChunkProgress = vi.fn(table.recordChunkProgress);
  const jobs = { ...table, recordChunkProgress, ...differences };
  const { clock, ...steps } = aSteppedClock();
  const watch = await watchJob(workerPorts({ jobs, clock }), watched);
  if (watch === undefined) throw new Error('There is nothing to watch');
  const storedProgress = async () => {
    const now = await table.get(job);
    return now?.state === 'processing' ? now.chunkProgress : undefined;
  };
  return { jobs, watch, recordChunkProgress, storedProgress, ...steps };
}

it('a watch records the progress of its task every 2 s, in whole percents that only rise', async () => {
  const { watch, recordChunkProgress, storedProgress, beat } = await watching();
  for (const percent of [10, 20.9, 15]) watch.report(percent);
  await beat();
  expect(await storedProgress()).toEqual({ 2: 20 });
  for (let beats = 0; beats < 2; beats += 1) await beat();
  // At its start, and at the first heartbeat.
  expect(recordChunkProgress).toHaveBeenCalledTimes(2);
  await watch.end();
});

it('a watch records that its task has begun, before its first heartbeat', async () => {
  const { jobs, watch, storedProgress } = await watching();
  expect(await storedProgress()).toEqual({ 2: 0 });
  expect(await jobs.get(job)).toMatchObject({ taskMs: { 2: 1 } });
  await watch.end();
});

it('a watch records the last progress when it ends', async () => {
  const { watch, storedProgress } = await watching();
  watch.report(120);
  await watch.end();
  expect(await storedProgress()).toEqual({ 2: 100 });
});

it('the progress of a job is the mean of its tasks', async () => {
  const { jobs, watch } = await watching();
  for (const chunk of [0, 1, 'join'] as const)
    await jobs.recordChunkProgress({ ...watched, chunk, percent: 50, ms: 900 });
  watch.report(50);
  await watch.end();
  const stored = await jobs.get(job);
  if (stored?.state !== 'processing') throw new Error('The job is not processing');
  expect(viewJob(stored, {}).progress).toBe(10 + Math.floor(0.5 * 85));
});

it('a watch records progress only once the job is delegated', async () => {
  const { chunkProgress: _, progressVersion: __, ...early } = job;
  const { jobs, watch, recordChunkProgress, storedProgress, beat } = await watching({}, early);
  watch.report(30);
  await beat();
  expect(recordChunkProgress).not.toHaveBeenCalled();
  await jobs.write({ guard: { leaseId: job.leaseId }, job });
  await beat();
  expect(await storedProgress()).toEqual({ 2: 30 });
  await watch.end();
});

it.each([
  ['was cancelled', (stored: JobIn<'processing'>) => cancel(stored, ending)],
  ['was requeued', (stored: JobIn<'processing'>) => requeue(stored, later(7_000))],
])('a watch aborts within 2 s if the job %s, and records nothing more', async (_, change) => {
  const { jobs, watch, recordChunkProgress, wake } = await watching();
  watch.report(40);
  recordChunkProgress.mockClear();
  await jobs.write(change((await jobs.get(job)) as JobIn<'processing'>));
  await wake();
  await expect.poll(() => watch.signal.aborted).toBe(true);
  expect(watch.signal.reason).toMatchObject({ name: 'LeaseLostError' });
  await watch.end();
  expect(recordChunkProgress).not.toHaveBeenCalled();
});

it('a watch aborts if its progress is rejected', async () => {
  const { watch } = await watching({ recordChunkProgress: async () => 'lost' });
  watch.report(40);
  await watch.end();
  expect(watch.signal.reason).toMatchObject({ name: 'LeaseLostError' });
});

it('a watch aborts with the error of its check, keeps the lease and records the time', async () => {
  const table = memoryJobTable();
  await table.write({ guard: { absent: true }, job });
  const { clock, beat } = aSteppedClock();
  let reads = 0;
  const watch = await watchJob(workerPorts({ jobs: table, clock }), watched, () =>
    ++reads > 2 ? new Error('enough') : undefined,
  );
  if (watch === undefined) throw new Error('There is nothing to watch');
  await beat();
  expect(watch.signal.aborted).toBe(false);
  await beat();
  expect([watch.signal.aborted, watch.isLost()]).toEqual([true, false]);
  expect(watch.signal.reason).toMatchObject({ message: 'enough' });
  await watch.end();
  expect(await table.get(job)).toHaveProperty('taskMs.2');
});

it('a watch of a second run calls its listener with what it reads, and records the percent of the first', async () => {
  const table = memoryJobTable();
  await table.write({ guard: { absent: true }, job });
  const { clock, beat } = aSteppedClock();
  const watch = await watchJob(workerPorts({ jobs: table, clock }), { ...watched, isSecondRun: true });
  if (watch === undefined) throw new Error('There is nothing to watch');
  const read: unknown[] = [];
  watch.onRead(async ({ chunkProgress }, { percent }) => void read.push([chunkProgress, percent]));
  await table.recordChunkProgress({ ...watched, percent: 30, ms: 90_000 });
  watch.report(5);
  await beat();
  expect(read).toEqual([[{ 2: 30 }, 5]]);
  await watch.end();
  expect(await table.get(job)).toMatchObject({
    chunkProgress: { 2: 30 },
    taskMs: { 2: 90_000, '2-second': expect.any(Number) },
  });
});

it('a watch continues while the table is unavailable', async () => {
  const silence = new Error('The table does not answer');
  const recordChunkProgress = vi
    .fn<JobTable['recordChunkProgress']>()
    .mockRejectedValueOnce(silence)
    .mockRejectedValueOnce(silence);
  recordChunkProgress.mockResolvedValue('recorded');
  const { watch, beat } = await watching({ recordChunkProgress });
  watch.report(40);
  for (let beats = 0; beats < 4; beats += 1) await beat();
  expect(watch.signal.aborted).toBe(false);
  expect(recordChunkProgress.mock.calls.map(([{ percent }]) => percent)).toEqual([0, 40, 40]);
  await watch.end();
});

it.each([
  ['is gone', undefined],
  ['has ended', cancel(job, ending).job],
  ["is another worker's", aProcessingJob({ leaseId: 'lease-2' })],
])('there is no watch of a job that %s', async (_, stored) => {
  const jobs = memoryJobTable();
  if (stored) await jobs.write({ guard: { absent: true }, job: stored });
  expect(await watchJob(workerPorts({ jobs, clock: aSteppedClock().clock }), watched)).toBeUndefined();
});
