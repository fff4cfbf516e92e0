import { describe, expect, it } from 'vitest';
import { addMs, durations } from '../../../core/jobs/durations.ts';
import type { JobRef } from '../../../core/jobs/ports.ts';
import { type ReconcileDeps, reconcile } from '../../../functions/reconcile/app.ts';
import { memoryJobTable } from '../../../lab/simulation/memory/job-table.ts';
import { aCompletedJob } from '../../builders/jobs/ended-jobs.ts';
import { aJobId, aQueuedJob, later } from '../../builders/jobs/jobs.ts';
import { reconcileDeps } from '../../builders/jobs/reconcile-deps.ts';

type Shard = { unreadable?: number; readable?: number; maxJobsPerShard: number };

/** Due jobs of one shard. The first ones cannot be parsed, as after a deployment that broke their schema. */
async function aShard({ unreadable = 0, readable = 1, maxJobsPerShard }: Shard) {
  const jobs = memoryJobTable();
  const ids = Array.from({ length: unreadable + readable }, (_, n) => aJobId((n + 1) * 0x10));
  for (const jobId of ids) await jobs.write({ job: aQueuedJob({ jobId }), guard: { absent: true } });
  const sent: JobRef[] = [];
  const failed: JobRef[] = [];
  const deps = reconcileDeps({
    jobs: {
      ...jobs,
      get: async (ref) => {
        if (ids.slice(0, unreadable).includes(ref.jobId)) throw new Error('The record cannot be parsed');
        return jobs.get(ref);
      },
    },
    queue: { send: async (ref) => void sent.push({ ownerId: ref.ownerId, jobId: ref.jobId }) },
    maxJobsPerShard,
    onFailure: (ref) => failed.push(ref),
  });
  return { deps, sent, failed, lastId: ids.at(-1) };
}

/** Adds jobs with pending deliveries to the shard, due after all others. Returns the ids of those started. */
async function withDeliveries(
  deps: ReconcileDeps,
  count: number,
  dueAt = later(590_000).toISOString(),
): Promise<string[]> {
  const started: string[] = [];
  deps.deliveries = {
    async send({ deliveryId }) {
      started.push(deliveryId);
    },
  };
  for (let n = 1; n <= count; n += 1) {
    const job = aCompletedJob({ jobId: aJobId((5_000 + n) * 0x10), dueAt });
    await deps.jobs.write({ job, guard: { absent: true } });
  }
  return started;
}

describe('a run of reconcile', () => {
  it('reaches the jobs behind any number of records that cannot be parsed', async () => {
    const { deps, sent, failed, lastId } = await aShard({ unreadable: 600, maxJobsPerShard: 10 });
    expect(await reconcile(deps)(later(700_000))).toEqual({ due: 601, failed: 600 });
    expect(sent).toEqual([{ ownerId: 'owner-1', jobId: lastId }]);
    expect(failed).toHaveLength(600);
  });

  it('reconciles at most its limit of jobs per shard, so that no receiver is flooded', async () => {
    const { deps } = await aShard({ readable: 0, maxJobsPerShard: 2 });
    const started = await withDeliveries(deps, 3);
    await reconcile(deps)(later(700_000));
    expect(started).toHaveLength(2);
  });

  it('reaches a delivery behind any number of queued jobs', async () => {
    const { deps, sent } = await aShard({ readable: 30, maxJobsPerShard: 2 });
    const started = await withDeliveries(deps, 1);
    expect(await reconcile(deps)(later(700_000))).toEqual({ due: 31, failed: 0 });
    expect([sent.length, started.length]).toEqual([30, 1]);
  });

  it('sends a lost message behind any number of deliveries that are due at the first checks of their jobs', async () => {
    const { deps, sent } = await aShard({ readable: 0, maxJobsPerShard: 2 });
    const started = await withDeliveries(deps, 30, aQueuedJob().dueAt);
    const job = { ...aQueuedJob({ jobId: aJobId(0x10) }), dueAt: later(590_000).toISOString() };
    await deps.jobs.write({ job, guard: { absent: true } });
    await reconcile(deps)(later(700_000));
    expect([sent.length, started.length]).toEqual([1, 2]);
  });

  it('counts a delivery that could not be started as failed, so that the alarm fires', async () => {
    const { deps } = await aShard({ readable: 0, maxJobsPerShard: 10 });
    await deps.jobs.write({ job: aCompletedJob(), guard: { absent: true } });
    const send = async () => {
      throw new Error('The queue is not there');
    };
    const report = await reconcile({ ...deps, deliveries: { send } })(later(700_000));
    expect(report).toEqual({ due: 1, failed: 1 });
  });

  it('postpones a job whose step fails, so that later runs begin with others', async () => {
    const { deps, failed, lastId } = await aShard({ maxJobsPerShard: 10 });
    const { jobs } = deps;
    let writes = 0;
    const write: typeof jobs.write = async (change) => {
      if (++writes === 1) throw new Error('The table does not answer');
      return jobs.write(change);
    };
    expect(await reconcile({ ...deps, jobs: { ...jobs, write } })(later(700_000))).toEqual({ due: 1, failed: 1 });
    expect(failed).toHaveLength(1);
    const dueAt = addMs(deps.clock.now(), durations.postponeMs);
    expect(await jobs.get({ ownerId: 'owner-1', jobId: String(lastId) })).toMatchObject({ dueAt });
  });

  it('takes the other shards and kinds after a query that fails, and counts it as failed', async () => {
    const { deps, sent } = await aShard({ maxJobsPerShard: 10 });
    const started = await withDeliveries(deps, 1);
    const { due } = deps.jobs;
    const throttled = new Error('The table throttles');
    deps.jobs.due = async (query) => {
      if (query.kind === 'running' && query.shard === 3) throw throttled;
      return due(query);
    };
    const failures: unknown[] = [];
    deps.onQueryFailure = (shard, cause) => failures.push([shard.kind, shard.shard, cause]);
    expect(await reconcile(deps)(later(700_000))).toEqual({ due: 2, failed: 1 });
    expect([sent.length, started.length]).toEqual([1, 1]);
    expect(failures).toEqual([['running', 3, throttled]]);
  });

  it('begins no step after its deadline', async () => {
    const { deps, sent } = await aShard({ maxJobsPerShard: 10 });
    expect(await reconcile(deps)(later(600_000))).toEqual({ due: 0, failed: 0 });
    expect(sent).toEqual([]);
  });
});
