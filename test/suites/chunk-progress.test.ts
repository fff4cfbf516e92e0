import { beforeEach, describe, expect, it } from 'vitest';
import { jobTable } from '../../adapters/dynamodb/job-table.ts';
import type { JobTable } from '../../core/jobs/ports.ts';
import { progressOf } from '../../core/jobs/progress.ts';
import type { JobIn } from '../../core/jobs/record.ts';
import { cancel } from '../../core/jobs/termination.ts';
import { requeue } from '../../core/jobs/transitions.ts';
import { memoryJobTable } from '../../lab/simulation/memory/job-table.ts';
import { aProcessingJob, later } from '../builders/jobs/jobs.ts';
import { aParallelJob } from '../builders/jobs/parallel-jobs.ts';
import { aNewOwner, bothStores } from './stores.ts';

const stores = bothStores(jobTable, memoryJobTable);

describe.each(stores)('chunk progress in the job table %s', (_, open) => {
  let jobs: JobTable;
  let job: JobIn<'processing'>;
  beforeEach(async () => {
    jobs = await open();
    job = aParallelJob({ ownerId: aNewOwner() });
    await jobs.write({ job, guard: { absent: true } });
  });
  const record = (chunk: number, percent: number, { leaseId = job.leaseId, ms = 100 * percent } = {}) =>
    jobs.recordChunkProgress({ ...job, leaseId, chunk, percent, ms });
  const stored = async () => (await jobs.get(job)) as JobIn<'processing'>;

  it('is recorded for every chunk, however many report at once', async () => {
    const results = await Promise.all([0, 1, 2, 3].map((part) => record(part, 10 * (part + 1))));
    expect(results).toEqual(['recorded', 'recorded', 'recorded', 'recorded']);
    expect((await stored()).chunkProgress).toEqual({ 0: 10, 1: 20, 2: 30, 3: 40 });
  });

  it('has the time of the last record of each run until that has ended', async () => {
    const run = { ...job, chunk: 1, percent: 40 };
    await jobs.recordChunkProgress({ ...run, ms: 2_000, beat: 7 });
    await jobs.recordChunkProgress({ ...run, ms: 4_000, beat: 9 });
    await jobs.recordChunkProgress({ ...run, ms: 1_000, beat: 6, isSecondRun: true });
    expect((await stored()).taskBeats).toEqual({ 1: 9, '1-second': 6 });
    await jobs.recordChunkProgress({ ...run, ms: 4_500 });
    // A beat that was sent before the end and arrives after it.
    await jobs.recordChunkProgress({ ...run, ms: 4_400, beat: 10 });
    expect((await stored()).taskBeats).toEqual({ '1-second': 6 });
  });

  it('never falls, whichever report comes last', async () => {
    expect([await record(2, 60), await record(2, 40), await record(2, 60)]).toEqual([
      'recorded',
      'unchanged',
      'unchanged',
    ]);
    expect((await stored()).chunkProgress).toEqual({ 2: 60 });
  });

  it('adds the time of a task that makes no progress, once however often it is repeated', async () => {
    await record(1, 60, { ms: 4_000 });
    const results = [await record(1, 60, { ms: 9_000 }), await record(1, 60, { ms: 9_000 })];
    expect(results).toEqual(['recorded', 'unchanged']);
    expect(await stored()).toMatchObject({ chunkProgress: { 1: 60 }, taskMs: { 1: 9_000 } });
  });

  it('adds the time of a second run apart from that of the first, and has the percent of both', async () => {
    await record(1, 60, { ms: 9_000 });
    const second = { ...job, chunk: 1, isSecondRun: true };
    const results = [
      await jobs.recordChunkProgress({ ...second, percent: 20, ms: 1_000 }),
      await jobs.recordChunkProgress({ ...second, percent: 60, ms: 3_000 }),
      await record(1, 70, { ms: 11_000 }),
    ];
    expect(results).toEqual(['unchanged', 'recorded', 'recorded']);
    const { chunkProgress, taskMs } = await stored();
    expect([chunkProgress, taskMs]).toEqual([{ 1: 70 }, { 1: 11_000, '1-second': 3_000 }]);
  });

  it('leaves all other fields of the record unchanged', async () => {
    await record(0, 50);
    expect(await stored()).toEqual({ ...job, chunkProgress: { 0: 50 }, taskMs: { 0: 5_000 }, progressVersion: 1 });
  });

  it('is rejected once the lease no longer holds the job', async () => {
    expect(await record(0, 50, { leaseId: 'lease-2' })).toBe('lost');
    const ending = { now: later(9_000), webhookTarget: null, deliveryId: 'delivery-1' };
    await jobs.write(cancel(await stored(), ending));
    expect(await record(0, 50)).toBe('lost');
  });

  it('is ignored before the job is delegated to an execution', async () => {
    const other = aProcessingJob({ ownerId: aNewOwner() });
    await jobs.write({ job: other, guard: { absent: true } });
    expect(await jobs.recordChunkProgress({ ...other, chunk: 0, percent: 5, ms: 9 })).toBe('unchanged');
  });

  it('counts for the progress of the whole job, also after it ends or is requeued', async () => {
    for (const part of [0, 1, 2, 3]) await record(part, 50);
    const now = await stored();
    expect(progressOf(now)).toBe(52);
    expect(requeue(now, later(99_000)).job).toMatchObject({ state: 'queued', progress: 52 });
    expect(requeue(now, later(99_000)).job).not.toHaveProperty('execution');
    const ending = { now: later(99_000), webhookTarget: null, deliveryId: 'delivery-1' };
    expect(cancel(now, ending).job).toMatchObject({ state: 'cancelled', progress: 52 });
  });
});
