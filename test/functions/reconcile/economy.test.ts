import { describe, expect, it } from 'vitest';
import type { JobRef } from '../../../core/jobs/ports.ts';
import { create } from '../../../core/jobs/transitions.ts';
import { reconcile } from '../../../functions/reconcile/app.ts';
import { memoryJobTable } from '../../../lab/simulation/memory/job-table.ts';
import { aJobId, aQueuedJob, aRequest, later, start } from '../../builders/jobs/jobs.ts';
import { reconcileDeps } from '../../builders/jobs/reconcile-deps.ts';

const hour = 3_600_000;
const ref = { ownerId: 'owner-1', jobId: aJobId(1) };

/** A stage on which one economy job waits, and runs of reconcile each hour until a time. */
async function waitsUntil(ms: number, finishByMs?: number) {
  const jobs = memoryJobTable();
  const { urlSecret } = aQueuedJob();
  const request = {
    ...aRequest,
    speed: 'economy' as const,
    ...(finishByMs === undefined ? {} : { finishBy: later(finishByMs).toISOString() }),
  };
  await jobs.write(create({ ...ref, urlSecret, request, now: start }));
  const sent: JobRef[] = [];
  for (let now = 0; now <= ms; now += hour / 4) {
    const deps = reconcileDeps({ jobs, queue: { send: async (job) => void sent.push(job) } });
    await reconcile({ ...deps, clock: { ...deps.clock, now: () => later(now) } })(later(now + hour));
  }
  return { job: await jobs.get(ref), sent };
}

describe('an economy job that the pool does not take', () => {
  it('waits without messages', async () => {
    const { job, sent } = await waitsUntil(71 * hour);
    expect(job).toMatchObject({ state: 'queued', queue: 'economy' });
    expect(sent).toEqual([]);
  });

  it('fails after 72 hours with TIMEOUT', async () => {
    const { job } = await waitsUntil(73 * hour);
    expect(job).toMatchObject({ state: 'failed', error: { code: 'TIMEOUT' } });
  });

  it.each([
    [100 * hour, 97 * hour, 99 * hour],
    [2 * hour, hour / 2, 1.5 * hour],
  ])('becomes a standard one in time for a finishBy in %d ms, and is sent', async (finishBy, before, after) => {
    expect(await waitsUntil(before, finishBy)).toMatchObject({ job: { queue: 'economy' }, sent: [] });
    const { job, sent } = await waitsUntil(after, finishBy);
    expect(job).toMatchObject({ state: 'queued', request: { speed: 'economy' } });
    expect(job).not.toHaveProperty('queue');
    expect(sent).not.toEqual([]);
  });
});
