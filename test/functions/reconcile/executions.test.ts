import { aVirtualClock } from '@media-jobs/testing/virtual-clock';
import { beforeEach, describe, expect, it } from 'vitest';
import type { DelegatedJobInput, JobRef } from '../../../core/jobs/ports.ts';
import { type ReconcileDeps, reconcile } from '../../../functions/reconcile/app.ts';
import { takeNextStep } from '../../../functions/reconcile/next-step.ts';
import { memoryJobStateMachine } from '../../../lab/simulation/memory/job-state-machine.ts';
import { type MemoryJobTable, memoryJobTable } from '../../../lab/simulation/memory/job-table.ts';
import { aDelegatedJob, aTakenOverJob } from '../../builders/jobs/delegated-jobs.ts';
import { aJobId, aProcessingJob, later } from '../../builders/jobs/jobs.ts';
import { aParallelJob } from '../../builders/jobs/parallel-jobs.ts';
import { reconcileDeps } from '../../builders/jobs/reconcile-deps.ts';

const job = aParallelJob();
let jobs: MemoryJobTable;
const parallel = memoryJobStateMachine();
let sent: JobRef[];
let deps: ReconcileDeps;

beforeEach(async () => {
  jobs = memoryJobTable();
  await jobs.write({ job, guard: { absent: true } });
  parallel.running.clear();
  sent = [];
  const queue = { send: async (ref: JobRef) => void sent.push(ref) };
  deps = reconcileDeps({ jobs, parallel, queue, clock: aVirtualClock(later(400_000)) });
});

it('a job whose execution is running is not touched, and is checked again in five minutes', async () => {
  parallel.running.set('parallel-1', undefined);
  expect(await takeNextStep(deps, job, later(440_000))).toBe('still-running');
  expect(await jobs.get(job)).toEqual({ ...job, dueAt: later(700_000).toISOString() });
  expect(sent).toEqual([]);
});

it('chunk progress that is recorded during the check is kept', async () => {
  const isRunning = async () =>
    (await jobs.recordChunkProgress({ ...job, chunk: 0, percent: 90, ms: 900 })) === 'recorded';
  expect(await takeNextStep({ ...deps, parallel: { isRunning } }, job, later(440_000))).toBe('superseded');
  expect(await jobs.get(job)).toMatchObject({ chunkProgress: { 0: 90 } });
});

it('a job whose execution has ended without ending the job is requeued', async () => {
  expect(await takeNextStep(deps, job, later(440_000))).toBe('requeued');
  expect(await jobs.get(job)).toMatchObject({ state: 'queued' });
  expect(sent).toHaveLength(1);
});

describe('a throttled check', () => {
  const throttled = { isRunning: async () => undefined };

  it('leaves the job as it is: still due, and not requeued', async () => {
    expect(await takeNextStep({ ...deps, parallel: throttled }, job, later(440_000))).toBe('check-throttled');
    expect(await jobs.get(job)).toEqual(job);
    expect(sent).toEqual([]);
  });

  it('is no failure, and the last one that a run makes', async () => {
    let checks = 0;
    const isRunning = async () => {
      checks += 1;
      return undefined;
    };
    // All of one shard, which takes its jobs one after the other.
    const delegated = [2, 3].map((n) => aParallelJob({ jobId: aJobId(n * 0x10 + 1) }));
    const waiting = aDelegatedJob({ jobId: aJobId(0x41) });
    const lost = aProcessingJob({ jobId: aJobId(0x51) });
    for (const each of [...delegated, waiting, { ...lost, dueAt: waiting.dueAt }]) {
      await jobs.write({ job: each, guard: { absent: true } });
    }
    const machines = { parallel: { isRunning }, fargateMachine: { isRunning } };
    expect(await reconcile({ ...deps, ...machines })(later(440_000))).toEqual({ due: 5, failed: 0 });
    expect(checks).toBe(1);
    expect(await jobs.get(lost)).toMatchObject({ state: 'queued' });
  });
});

describe('a job that is delegated to another worker', () => {
  const fargateMachine = memoryJobStateMachine<DelegatedJobInput>();
  const waiting = aDelegatedJob();
  const running = aTakenOverJob();

  async function next(stored: typeof waiting, overrides: Partial<ReconcileDeps> = { fargateMachine }) {
    jobs = memoryJobTable();
    await jobs.write({ job: stored, guard: { absent: true } });
    return takeNextStep({ ...deps, jobs, ...overrides }, stored, later(440_000));
  }

  it('waits for its worker while the execution runs', async () => {
    fargateMachine.running.set('other-1', undefined);
    expect(await next(waiting)).toBe('still-running');
    expect(await jobs.get(waiting)).toEqual({ ...waiting, dueAt: later(700_000).toISOString() });
  });

  it('is requeued once its execution has ended, or if the stage has no such workers any more', async () => {
    fargateMachine.running.clear();
    expect(await next(waiting)).toBe('requeued');
    expect(await jobs.get(waiting)).toMatchObject({ state: 'queued', otherWorker: { name: 'fargate' } });
    expect(await next(waiting, {})).toBe('requeued');
  });

  it('is requeued if its worker does not renew the lease, although the execution runs', async () => {
    fargateMachine.running.set('other-1', undefined);
    expect(await next(running)).toBe('requeued');
  });
});
