import { describe, expect, it } from 'vitest';
import { maxRecoveredPerCall } from '../../../core/api/deliveries.ts';
import { redeliver } from '../../../core/jobs/delivery-transitions.ts';
import type { JobListing, JobTable } from '../../../core/jobs/ports.ts';
import { isTerminal, type JobRecord, type TerminalJob } from '../../../core/jobs/record.ts';
import { markSwept } from '../../../core/jobs/removal-transitions.ts';
import { recoverDeliveries } from '../../../functions/jobs/deliveries.ts';
import { memoryJobTable } from '../../../lab/simulation/memory/job-table.ts';
import { aFailedJob, withSettledDelivery } from '../../builders/jobs/ended-jobs.ts';
import { aJobId, aProcessingJob, later, start } from '../../builders/jobs/jobs.ts';
import { aRouteRequest, webhookRouteDeps } from '../../builders/webhook-routes.ts';

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
  const deps = await webhookRouteDeps(jobs);
  const post = (body: { since: string; until: string; cursor?: string }, ownerId = 'owner-1') =>
    recoverDeliveries(deps)(aRouteRequest({ ownerId, body }));
  return { ...deps, post };
}

/** A table of `count` abandoned jobs, newest first, that records writes without storing them. */
function aLongList(count: number) {
  const all = Array.from({ length: count }, (_, index) => anAbandonedJob(count - index));
  const written: string[] = [];
  const jobs: JobTable = {
    ...memoryJobTable(),
    list: async ({ limit, afterJobId }) => {
      const from = afterJobId === undefined ? 0 : all.findIndex(({ jobId }) => jobId === afterJobId) + 1;
      const page = all.slice(from, from + limit);
      return { jobs: page, lastJobId: from + limit < count ? page.at(-1)?.jobId : undefined, unreadable: [] };
    },
    write: async ({ job }) => {
      written.push(job.jobId);
      return { written: true };
    },
  };
  return { jobs, written };
}

describe('a recovery', () => {
  it('makes every abandoned delivery of the window pending and starts none', async () => {
    const { post, jobs, started } = await recovery([anAbandonedJob(1), anAbandonedJob(2)]);
    expect(await post(wholeDay)).toEqual({ status: 202, body: { recovered: 2, nextCursor: null } });
    const record = await jobs.get(anAbandonedJob(1));
    expect(record).toMatchObject({ webhookTarget: target, pendingDelivery: { redelivery: true } });
    expect(record?.dueAt).toBe('2026-03-01T13:01:00.000Z');
    expect(started).toEqual([]);
  });

  it('skips deliveries that are delivered, pending, without a target or at their limit, and unfinished jobs', async () => {
    const others = [
      withSettledDelivery(aFailedJob({ jobId: aJobId(1) }), 'delivered'),
      withSettledDelivery(aFailedJob({ jobId: aJobId(2) }), 'none'),
      aFailedJob({ jobId: aJobId(3), deliveryOutcome: 'abandoned' }),
      aProcessingJob({ jobId: aJobId(4) }),
      anAbandonedJob(5, { redeliveries: 10 }),
    ];
    const { post, jobs } = await recovery(others);
    expect(await post(wholeDay)).toMatchObject({ body: { recovered: 0, nextCursor: null } });
    expect(await Promise.all(others.map((job) => jobs.get(job)))).toEqual(others);
  });

  it('resolves each target again and skips a job without one', async () => {
    const { post, jobs, settings, clock } = await recovery([anAbandonedJob(1, { request })]);
    expect(await post(wholeDay)).toMatchObject({ body: { recovered: 0 } });
    await settings.change('owner-1', { defaultWebhookUrl: 'https://new.example/' }, clock.now());
    expect(await post(wholeDay)).toMatchObject({ body: { recovered: 1 } });
    expect(await jobs.get(anAbandonedJob(1))).toMatchObject({ webhookTarget: 'https://new.example/' });
  });

  it('includes jobs created at or after `since` and before `until`', async () => {
    const { post, jobs } = await recovery([1, 2, 3].map((n) => anAbandonedJob(n)));
    const window = { since: later(2_000).toISOString(), until: later(3_000).toISOString() };
    expect(await post(window)).toMatchObject({ body: { recovered: 1 } });
    expect(await jobs.get(anAbandonedJob(2))).toHaveProperty('pendingDelivery');
  });

  it('reads the table a bounded number of times, and continues from pages without jobs', async () => {
    const deps = await webhookRouteDeps([anAbandonedJob(1)]);
    const idOf = (n: number) => aJobId(1_000 - n, later(3_600_000));
    const listings: JobListing[] = [];
    const list: JobTable['list'] = async (listing) => {
      listings.push(listing);
      return listings.length > 21
        ? deps.jobs.list(listing)
        : { jobs: [], lastJobId: idOf(listings.length), unreadable: [] };
    };
    const recover = recoverDeliveries({ ...deps, jobs: { ...deps.jobs, list } });
    const first = await recover(aRouteRequest({ ownerId: 'owner-1', body: wholeDay }));
    expect(first.body).toEqual({ recovered: 0, nextCursor: expect.any(String) });
    expect(listings.map(({ maxReads }) => maxReads)).toEqual(Array(20).fill(1));
    const body = { ...wholeDay, cursor: first.body.nextCursor ?? '' };
    const second = await recover(aRouteRequest({ ownerId: 'owner-1', body }));
    expect(listings[20]).toMatchObject({ afterJobId: idOf(20) });
    expect(second.body).toEqual({ recovered: 1, nextCursor: null });
  });

  it('includes a job whose record has changed since it was listed, if its delivery is still abandoned', async () => {
    const sweepAt = later(9_000).toISOString();
    const jobs = [1, 2].map((n) => ({ ...anAbandonedJob(n), sweepAt, dueAt: sweepAt }));
    const deps = await webhookRouteDeps(jobs);
    const list: JobTable['list'] = async (listing) => {
      const page = await deps.jobs.list(listing);
      const [newest, oldest] = page.jobs.filter(isTerminal);
      if (newest === undefined || oldest === undefined) throw new Error('two jobs');
      await deps.jobs.write(markSwept(newest, later(0)));
      const redelivery = { now: later(9_500), webhookTarget: target, deliveryId: 'delivery-7' };
      await deps.jobs.write(redeliver(oldest, redelivery));
      return page;
    };
    const post = recoverDeliveries({ ...deps, jobs: { ...deps.jobs, list } });
    expect(await post(aRouteRequest({ body: wholeDay }))).toMatchObject({ body: { recovered: 1 } });
    expect(await deps.jobs.get(anAbandonedJob(2))).toMatchObject({ redeliveries: 1 });
    expect(await deps.jobs.get(anAbandonedJob(1))).toMatchObject({ pendingDelivery: { id: 'delivery-7' } });
  });

  it('is limited to one owner', async () => {
    const { post } = await recovery([anAbandonedJob(1)]);
    expect(await post(wholeDay, 'owner-2')).toMatchObject({ body: { recovered: 0 } });
  });

  it('counts each delivery once in concurrent calls', async () => {
    const { post } = await recovery([anAbandonedJob(1), anAbandonedJob(2)]);
    const answers = await Promise.all([post(wholeDay), post(wholeDay), post(wholeDay)]);
    expect(answers.reduce((sum, { body }) => sum + body.recovered, 0)).toBe(2);
  });

  it('recovers at most 1,000 per call and continues with the cursor without gaps or repeats', async () => {
    const { jobs, written } = aLongList(2 * maxRecoveredPerCall + 100);
    const deps = await webhookRouteDeps();
    const post = recoverDeliveries({ ...deps, jobs });
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

  it('rejects a cursor of another window', async () => {
    const { jobs } = aLongList(maxRecoveredPerCall + 1);
    const deps = await webhookRouteDeps();
    const post = recoverDeliveries({ ...deps, jobs });
    const { body } = await post(aRouteRequest({ body: wholeDay }));
    const elsewhere = { since: start.toISOString(), until: wholeDay.until, cursor: body.nextCursor ?? '' };
    await expect(post(aRouteRequest({ body: elsewhere }))).rejects.toMatchObject({ code: 'INVALID_CURSOR' });
  });
});
