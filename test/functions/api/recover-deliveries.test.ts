import { describe, expect, it } from 'vitest';
import { maxRecoveredPerCall } from '../../../core/api/deliveries.ts';
import type { JobTable } from '../../../core/jobs/ports.ts';
import type { JobRecord, TerminalJob } from '../../../core/jobs/record.ts';
import { recoverDeliveries } from '../../../functions/api/app/recover-deliveries.ts';
import { aFailedJob, withSettledDelivery } from '../../builders/jobs/ended-jobs.ts';
import { aJobId, aProcessingJob, later, start } from '../../builders/jobs/jobs.ts';
import { aRouteRequest, webhookRouteDeps } from '../../builders/webhook-routes.ts';
import { memoryJobTable } from '../../memory/job-table.ts';

const target = 'https://own.example/hook';
const wholeDay = { since: '2026-03-01T00:00:00.000Z', until: '2026-03-02T00:00:00.000Z' };
const { request } = aFailedJob();

function anAbandonedJob(n: number, more: Partial<TerminalJob> = {}): TerminalJob {
  const createdAt = later(n * 1_000);
  return withSettledDelivery(
    aFailedJob({
      jobId: aJobId(n, createdAt),
      createdAt: createdAt.toISOString(),
      request: { ...request, webhookUrl: target },
      ...(more as object),
    }),
    'abandoned',
  );
}

async function recovery(jobs: JobRecord[]) {
  const office = await webhookRouteDeps(jobs);
  const post = (body: { since: string; until: string; cursor?: string }, ownerId = 'owner-1') =>
    recoverDeliveries(office)(aRouteRequest({ ownerId, body }));
  return { ...office, post };
}

/** A table of so many abandoned jobs, newest first, that counts the writes instead of storing them. */
function aLongList(count: number) {
  const all = Array.from({ length: count }, (_, index) => anAbandonedJob(count - index));
  const written: string[] = [];
  const jobs: JobTable = {
    ...memoryJobTable(),
    list: async ({ limit, afterJobId }) => {
      const from = afterJobId === undefined ? 0 : all.findIndex(({ jobId }) => jobId === afterJobId) + 1;
      const page = all.slice(from, from + limit);
      return { jobs: page, lastJobId: from + limit < count ? page.at(-1)?.jobId : undefined };
    },
    write: async ({ job }) => {
      written.push(job.jobId);
      return { written: true };
    },
  };
  return { jobs, written };
}

describe('a recovery', () => {
  it('makes every abandoned delivery of the window pending, and starts none itself', async () => {
    const { post, jobs, started } = await recovery([anAbandonedJob(1), anAbandonedJob(2)]);
    expect(await post(wholeDay)).toEqual({ status: 202, body: { recovered: 2, nextCursor: null } });
    const record = await jobs.get(anAbandonedJob(1));
    expect(record).toMatchObject({ webhookTarget: target, pendingDelivery: { redelivery: true } });
    expect(record?.dueAt).toBe('2026-03-01T13:00:20.000Z');
    expect(started).toEqual([]);
  });

  it('leaves deliveries alone that arrived, are pending, had nobody to tell, or belong to jobs that run', async () => {
    const others = [
      withSettledDelivery(aFailedJob({ jobId: aJobId(1) }), 'delivered'),
      withSettledDelivery(aFailedJob({ jobId: aJobId(2) }), 'none'),
      aFailedJob({ jobId: aJobId(3), deliveryOutcome: 'abandoned' }),
      aProcessingJob({ jobId: aJobId(4) }),
    ];
    const { post, jobs } = await recovery(others);
    expect(await post(wholeDay)).toMatchObject({ body: { recovered: 0, nextCursor: null } });
    expect(await Promise.all(others.map((job) => jobs.get(job)))).toEqual(others);
  });

  it('finds each target afresh, and skips a job that has none any more', async () => {
    const { post, jobs, settings, clock } = await recovery([anAbandonedJob(1, { request })]);
    expect(await post(wholeDay)).toMatchObject({ body: { recovered: 0 } });
    await settings.setDefaultWebhookUrl('owner-1', 'https://new.example/', clock.now());
    expect(await post(wholeDay)).toMatchObject({ body: { recovered: 1 } });
    expect(await jobs.get(anAbandonedJob(1))).toMatchObject({ webhookTarget: 'https://new.example/' });
  });

  it('takes jobs created from `since` on and before `until`', async () => {
    const { post, jobs } = await recovery([1, 2, 3].map((n) => anAbandonedJob(n)));
    const window = { since: later(2_000).toISOString(), until: later(3_000).toISOString() };
    expect(await post(window)).toMatchObject({ body: { recovered: 1 } });
    expect(await jobs.get(anAbandonedJob(2))).toHaveProperty('pendingDelivery');
  });

  it('is an owner’s own', async () => {
    const { post } = await recovery([anAbandonedJob(1)]);
    expect(await post(wholeDay, 'owner-2')).toMatchObject({ body: { recovered: 0 } });
  });

  it('counts each delivery once, however often it is asked for', async () => {
    const { post } = await recovery([anAbandonedJob(1), anAbandonedJob(2)]);
    const answers = await Promise.all([post(wholeDay), post(wholeDay), post(wholeDay)]);
    expect(answers.reduce((sum, { body }) => sum + body.recovered, 0)).toBe(2);
  });

  it('takes at most 1,000 a call and goes on where it stopped, missing and repeating none', async () => {
    const { jobs, written } = aLongList(2 * maxRecoveredPerCall + 100);
    const office = await webhookRouteDeps();
    const post = recoverDeliveries({ ...office, jobs });
    const counts: number[] = [];
    let cursor: string | null | undefined;
    while (cursor !== null) {
      const body = { ...wholeDay, cursor };
      const answer = await post(aRouteRequest({ body }));
      counts.push(answer.body.recovered);
      cursor = answer.body.nextCursor;
    }
    expect(counts).toEqual([1_000, 1_000, 100]);
    expect(new Set(written).size).toBe(2_100);
    expect(written).toHaveLength(2_100);
  });

  it('refuses a cursor of another window', async () => {
    const { jobs } = aLongList(maxRecoveredPerCall + 1);
    const office = await webhookRouteDeps();
    const post = recoverDeliveries({ ...office, jobs });
    const { body } = await post(aRouteRequest({ body: wholeDay }));
    const elsewhere = { since: start.toISOString(), until: wholeDay.until, cursor: body.nextCursor ?? '' };
    await expect(post(aRouteRequest({ body: elsewhere }))).rejects.toMatchObject({ code: 'INVALID_CURSOR' });
  });
});
