import { aVirtualClock } from '@media-jobs/testing/virtual-clock';
import { describe, expect, it } from 'vitest';
import { deleteJob } from '../../../core/jobs/removal-transitions.ts';
import { type ReconcileDeps, reconcile } from '../../../functions/reconcile/app.ts';
import { memoryDeliveryJournal } from '../../../lab/simulation/memory/delivery-journal.ts';
import { memoryJobTable } from '../../../lab/simulation/memory/job-table.ts';
import { aDeliveryAttempt } from '../../builders/jobs/a-delivery-attempt.ts';
import { aCancelledJob, aCompletedJob } from '../../builders/jobs/ended-jobs.ts';
import { aJobId, aProcessingJob, aQueuedJob, later } from '../../builders/jobs/jobs.ts';
import { aParallelJob } from '../../builders/jobs/parallel-jobs.ts';
import { reconcileDeps } from '../../builders/jobs/reconcile-deps.ts';

const minuteMs = 60_000;
const start = 1_000 * minuteMs;
/** All ids end in 0: one shard. */
const idOf = (n: number) => aJobId(n * 0x10);

/** A stage on which every removal of files takes 100 ms, and the runs of its reconcile. */
function aStage(overrides: Partial<ReconcileDeps> = {}) {
  const jobs = memoryJobTable();
  let now = later(start);
  const tick = (ms: number) => {
    now = new Date(now.getTime() + ms);
  };
  const clock = { ...aVirtualClock(now), now: () => now };
  const removed: string[] = [];
  const deps = reconcileDeps({
    jobs,
    clock,
    maxJobsPerShard: 250,
    files: {
      ...reconcileDeps().files,
      removeAll: async (prefix) => {
        tick(100);
        removed.push(prefix);
        return 'complete';
      },
    },
    ...overrides,
  });
  const run = () => reconcile(deps)(new Date(now.getTime() + 40_000));
  return { jobs, deps, removed, run, tick };
}

async function deleteJobs(jobs: ReconcileDeps['jobs'], ownerId: string, count: number, from: number) {
  for (let n = from; n < from + count; n += 1) {
    const { job } = deleteJob(aCancelledJob({ ownerId, jobId: idOf(n) }), later(minuteMs));
    await jobs.write({ job, guard: { absent: true } });
  }
}

describe('one owner with 2,500 deleted jobs', () => {
  it('does not delay the lost worker of another owner', async () => {
    const { jobs, run } = aStage();
    await deleteJobs(jobs, 'hostile', 2_500, 1);
    const lost = { ...aProcessingJob(), ownerId: 'other', jobId: idOf(9_000) };
    await jobs.write({ job: lost, guard: { absent: true } });
    await run();
    expect(await jobs.get(lost)).toMatchObject({ state: 'queued' });
  });

  it("does not delay another owner's delivery and sweep", async () => {
    const started: string[] = [];
    const deliveries: ReconcileDeps['deliveries'] = { send: async ({ jobId }) => void started.push(jobId) };
    const { jobs, removed, run } = aStage({ deliveries });
    await deleteJobs(jobs, 'hostile', 2_500, 1);
    const ended = aCompletedJob({ ownerId: 'other', jobId: idOf(9_000), dueAt: later(900 * minuteMs).toISOString() });
    await jobs.write({ job: ended, guard: { absent: true } });
    await deleteJobs(jobs, 'other', 1, 9_001);
    await run();
    expect(started).toEqual([ended.jobId]);
    expect(removed).toContain(`jobs/${idOf(9_001)}/`);
  });

  it('uses the rest of the run when nobody else needs it', async () => {
    const { jobs, removed, run } = aStage();
    await deleteJobs(jobs, 'alone', 120, 1);
    await run();
    expect(new Set(removed.filter((prefix) => prefix.startsWith('jobs/'))).size).toBe(120);
  });
});

it('checks of executions that take longer than a run do not delay lost messages, deliveries and sweeps of other owners', async () => {
  const recovered: string[] = [];
  const { jobs, deps, removed, run, tick } = aStage({
    queue: { send: async ({ jobId }) => void recovered.push(jobId) },
    deliveries: { send: async ({ jobId }) => void recovered.push(jobId) },
  });
  deps.parallel = {
    isRunning: async () => {
      tick(2_000);
      return true;
    },
  };
  for (let n = 1; n <= 100; n += 1) {
    const delegated = aParallelJob({ ownerId: `owner-${n}`, jobId: idOf(n) });
    await jobs.write({ job: delegated, guard: { absent: true } });
  }
  const queued = aQueuedJob({ ownerId: 'other', jobId: idOf(9_000) });
  const dueAt = later(900 * minuteMs).toISOString();
  const ended = aCompletedJob({ ownerId: 'other', jobId: idOf(9_001), dueAt });
  for (const job of [queued, ended]) await jobs.write({ job, guard: { absent: true } });
  await deleteJobs(jobs, 'other', 1, 9_002);
  deps.maxQueueMs = 2 * start;
  await run();
  expect(recovered).toEqual([queued.jobId, ended.jobId]);
  expect(removed).toContain(`jobs/${idOf(9_002)}/`);
});

describe('a sweep', () => {
  it('that crashes the function each time is retried after the sweeps of all others', async () => {
    const crash = new Error('the function ran out of memory');
    const [poisoned, other] = [idOf(1), idOf(2)];
    const { jobs, deps, removed, tick } = aStage();
    await deleteJobs(jobs, 'hostile', 1, 1);
    await deleteJobs(jobs, 'other', 1, 2);
    const { files } = deps;
    /** Neither the step nor its error handling goes on after a crash. */
    const crashing: ReconcileDeps = {
      ...deps,
      files: {
        ...files,
        removeAll: (prefix, options) =>
          prefix.includes(poisoned) ? Promise.reject(crash) : files.removeAll(prefix, options),
      },
      onFailure: () => {
        throw crash;
      },
    };
    const run = () => reconcile(crashing)(later(start + 90 * minuteMs));
    await expect(run()).rejects.toBe(crash);
    tick(1_000);
    await run();
    expect(removed).toContain(`jobs/${other}/`);
  });

  it('with too much to remove stops in time, and the next run continues where it stopped', async () => {
    const journal = memoryDeliveryJournal();
    const { jobs, deps, run, tick } = aStage();
    const tombstone = { ...deleteJob(aCancelledJob(), later(0)).job, sweepAt: later(0).toISOString() };
    await jobs.write({ job: tombstone, guard: { absent: true } });
    const { ownerId, jobId } = tombstone;
    for (let attempt = 1; attempt <= 40; attempt += 1) {
      await journal.open(aDeliveryAttempt({ ownerId, jobId, attempt }));
    }
    deps.journal = {
      ...journal,
      removeAll: (ref, { mayContinue = () => true } = {}) =>
        journal.removeAll(ref, {
          mayContinue: () => {
            tick(300);
            return mayContinue();
          },
        }),
    };
    await run();
    const left = (await journal.list(tombstone)).length;
    expect(left).toBeGreaterThan(0);
    expect(left).toBeLessThan(40);
    for (let runs = 0; runs < 3; runs += 1) {
      tick(2 * minuteMs);
      await run();
    }
    expect(await journal.list(tombstone)).toEqual([]);
    expect(await jobs.get(tombstone)).not.toHaveProperty('dueAt');
  });
});
