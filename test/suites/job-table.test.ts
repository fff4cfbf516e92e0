import { beforeEach, describe, expect, it } from 'vitest';
import { jobTable } from '../../adapters/dynamodb/job-table.ts';
import { settleDelivery } from '../../core/jobs/delivery-transitions.ts';
import type { JobChange } from '../../core/jobs/guard.ts';
import type { JobTable, OwnWaitingQuery } from '../../core/jobs/ports.ts';
import type { Job } from '../../core/jobs/record.ts';
import { deleteJob } from '../../core/jobs/removal-transitions.ts';
import { cancel, complete } from '../../core/jobs/termination.ts';
import { claim, create, requeueForLongLimit } from '../../core/jobs/transitions.ts';
import { memoryJobTable } from '../../lab/simulation/memory/job-table.ts';
import { aCancelledJob, aCompletedJob } from '../builders/jobs/ended-jobs.ts';
import { aJobId, aProcessingJob, aQueuedJob, aRequest, later, start, urlSecret } from '../builders/jobs/jobs.ts';
import { storeJob } from './store-job.ts';
import { aNewOwner, bothStores } from './stores.ts';

const ending = (deliveryId = 'delivery-1') => ({
  now: later(60_000),
  webhookTarget: 'https://receiver.example/hook',
  deliveryId,
});
const outcome = { files: {}, filesExpireAt: later(86_400_000).toISOString() };

describe.each(bothStores(jobTable, memoryJobTable))('the job table %s', (_, open) => {
  let jobs: JobTable;
  let ownerId: string;
  beforeEach(async () => {
    jobs = await open();
    ownerId = aNewOwner();
  });
  const queued = (n = 1, createdAt = start) =>
    storeJob(jobs, aQueuedJob({ ownerId, jobId: aJobId(n, createdAt), createdAt }));
  const processing = () => storeJob(jobs, aProcessingJob({ ownerId }));

  it('lists the jobs that wait under the limit of long jobs apart from all others', async () => {
    const short = await queued(7);
    const long = requeueForLongLimit(await processing(), later(1_000));
    await jobs.write(long);
    const idsOf = async (queue?: 'long') =>
      (await jobs.waiting({ ownerId, limit: 10, ...(queue && { queue }) })).map(({ jobId }) => jobId);
    expect(await idsOf()).toEqual([short.jobId]);
    expect(await idsOf('long')).toEqual([long.job.jobId]);
  });

  it("lists an owner's waiting jobs of a queue, newest first, in a range of ids", async () => {
    for (const n of [1, 2, 3, 4]) await queued(n);
    await storeJob(jobs, aQueuedJob({ ownerId: aNewOwner(), jobId: aJobId(5) }));
    await storeJob(jobs, aProcessingJob({ ownerId, jobId: aJobId(6) }));
    const read = async (range: Omit<OwnWaitingQuery, 'ownerId' | 'limit'>, limit = 10) => {
      const query = { ownerId, limit, ...range };
      return jobs.waitingIds(query);
    };
    expect(await read({})).toEqual([4, 3, 2, 1].map((n) => aJobId(n)));
    expect(await read({}, 2)).toEqual([aJobId(4), aJobId(3)]);
    expect(await read({ order: 'asc' }, 2)).toEqual([aJobId(1), aJobId(2)]);
    expect(await read({}, 0)).toEqual([]);
    expect(await read({ before: aJobId(4), from: aJobId(2) })).toEqual([aJobId(3), aJobId(2)]);
    expect(await read({ before: aJobId(2), from: aJobId(2) })).toEqual([]);
    expect(await read({ queue: 'long' })).toEqual([]);
  });

  it('has the jobs of the highest priority first, the oldest first of each, and counts those ahead of a job', async () => {
    for (const [n, priority] of [5, 0, 9, undefined, 9, 6].entries()) {
      const request = { ...aRequest, ...(priority !== undefined && { priority }) };
      await storeJob(jobs, aQueuedJob({ ownerId, jobId: aJobId(n + 1), request }));
    }
    await storeJob(jobs, aQueuedJob({ ownerId: aNewOwner(), jobId: aJobId(7) }));
    const line = await jobs.waiting({ ownerId, limit: 10 });
    expect(line.map(({ jobId }) => jobId)).toEqual([3, 5, 6, 1, 4, 2].map((n) => aJobId(n)));
    const counted = line.map((ahead) => jobs.countWaiting({ ownerId, limit: 10, ahead }));
    expect(await Promise.all(counted)).toEqual([0, 1, 2, 3, 4, 5]);
    expect(await jobs.countWaiting({ ownerId, limit: 10 })).toBe(6);
    const rest = (await jobs.waiting({ limit: 100, after: line[2] })).filter((ref) => ref.ownerId === ownerId);
    expect(rest).toEqual(line.slice(3));
    expect(await jobs.waitingIds({ ownerId, limit: 10 })).toEqual([6, 5, 4, 3, 2, 1].map((n) => aJobId(n)));
    const range = { ownerId, before: aJobId(6), from: aJobId(2) };
    expect(await jobs.waitingIds({ ...range, limit: 2, order: 'asc' })).toEqual([aJobId(2), aJobId(3)]);
    expect(await jobs.waitingIds({ ...range, limit: 3 })).toEqual([aJobId(5), aJobId(4), aJobId(3)]);
  });

  it("finds an owner's jobs by the beginning of the name of their source", async () => {
    const named = async (n: number, url: string, owner = ownerId) =>
      storeJob(jobs, aQueuedJob({ ownerId: owner, jobId: aJobId(n), request: { ...aRequest, input: { url } } }));
    await named(1, 'https://media.example/a/Holiday%201.mov?x=1');
    const second = await named(2, 'https://media.example/holiday.mp4');
    await named(3, 'https://media.example/holi/');
    await named(4, 'https://media.example/holiday.mp4', aNewOwner());
    const found = async (prefix: string) => (await jobs.named({ ownerId, prefix, limit: 9 })).sort();
    expect(await found('holiday')).toEqual([aJobId(1), aJobId(2)]);
    expect(await found('holiday 1.mov')).toEqual([aJobId(1)]);
    expect(await found('day')).toEqual([]);
    const cancelled = cancel(second, ending());
    await jobs.write(cancelled);
    await jobs.write(deleteJob(cancelled.job, later(90_000)));
    expect(await found('holiday')).toEqual([aJobId(1)]);
  });

  describe('reads', () => {
    it('a job just as it was written', async () => {
      const job = await storeJob(jobs, aCompletedJob({ ownerId }));
      expect(await jobs.get(job)).toEqual(job);
    });

    it('a job whose metadata keys are names of Object.prototype', async () => {
      const metadata = { constructor: 'a', toString: 'b', hasOwnProperty: 'c' };
      const job = await storeJob(jobs, aQueuedJob({ ownerId, request: { ...aRequest, metadata } }));
      expect(await jobs.get(job)).toEqual(job);
    });

    it('nothing under an id that was never written', async () => {
      expect(await jobs.get({ ownerId, jobId: aJobId(404) })).toBeUndefined();
    });

    it("nothing of another owner's job", async () => {
      const { jobId } = await queued();
      expect(await jobs.get({ ownerId: aNewOwner(), jobId })).toBeUndefined();
    });

    it('the tombstone of a deleted job', async () => {
      const { job } = deleteJob(await storeJob(jobs, aCancelledJob({ ownerId })), later(90_000));
      await jobs.write({ job, guard: { state: 'cancelled' } });
      expect(await jobs.get(job)).toEqual(job);
    });
  });

  describe('lets one of many concurrent writes win', () => {
    it('when 100 workers claim one job', async () => {
      const job = await queued();
      const claims = Array.from({ length: 100 }, (_, n) => jobs.write(claim(job, `lease-${n}`, later(n))));
      const winners = (await Promise.all(claims)).flatMap(({ written }, n) => (written ? [n] : []));
      expect(winners).toHaveLength(1);
      expect(await jobs.get(job)).toMatchObject({ state: 'processing', leaseId: `lease-${winners[0]}` });
    });

    it('when 20 requests create a job under one id', async () => {
      const creates = Array.from({ length: 20 }, (_, n) =>
        jobs.write(create({ ownerId, jobId: aJobId(), request: aRequest, urlSecret, now: later(n) })),
      );
      expect((await Promise.all(creates)).filter(({ written }) => written)).toHaveLength(1);
    });
  });

  describe('rejects, and returns the current record of', () => {
    it('a new job under the id of a deleted one', async () => {
      const tombstone = deleteJob(aCancelledJob({ ownerId, jobId: aJobId() }), later(90_000)).job;
      await jobs.write({ job: tombstone, guard: { absent: true } });
      const result = await jobs.write(
        create({ ownerId, jobId: aJobId(), request: aRequest, urlSecret, now: later(0) }),
      );
      expect(result).toEqual({ written: false, current: tombstone });
    });

    it('a claim of a job that does not exist', async () => {
      const result = await jobs.write(claim(aQueuedJob({ ownerId }), 'lease-1', later(0)));
      expect(result).toEqual({ written: false, current: undefined });
    });
  });

  it.each<[string, () => Promise<JobChange>]>([
    ['create', async () => create({ ownerId, jobId: aJobId(), request: aRequest, urlSecret, now: start })],
    ['claim', async () => claim(await queued(), 'lease-1', later(1_000))],
    ['the terminal write', async () => complete(await processing(), outcome, ending())],
    [
      'the end of a delivery',
      async () => settleDelivery(await storeJob(jobs, aCancelledJob({ ownerId })), 'delivery-1', 'delivered'),
    ],
  ])('reports a repeated write as written: %s', async (_name, prepare) => {
    const change = await prepare();
    expect(await jobs.write(change)).toEqual({ written: true });
    expect(await jobs.write(change)).toEqual({ written: true, isRepeat: true });
  });

  describe('lists', () => {
    const ids = (page: { jobs: Job[] }) => page.jobs.map(({ jobId }) => jobId);
    const minute = (n: number) => later(n * 60_000);

    it('newest first', async () => {
      for (const n of [1, 3, 2]) await queued(n);
      expect(ids(await jobs.list({ ownerId, limit: 10 }))).toEqual([aJobId(3), aJobId(2), aJobId(1)]);
    });

    it("only the owner's own", async () => {
      await queued();
      expect(await jobs.list({ ownerId: aNewOwner(), limit: 10 })).toEqual({
        jobs: [],
        lastJobId: undefined,
        unreadable: [],
      });
    });

    it.each(['desc', 'asc'] as const)('every job once, page after page, to a last page, %s', async (order) => {
      for (let n = 1; n <= 7; n++) await queued(n);
      const seen: string[] = [];
      let afterJobId: string | undefined;
      do {
        const page = await jobs.list({ ownerId, limit: 3, order, afterJobId });
        seen.push(...ids(page));
        afterJobId = page.lastJobId;
      } while (afterJobId !== undefined);
      const oldestFirst = [1, 2, 3, 4, 5, 6, 7].map((n) => aJobId(n));
      expect(seen).toEqual(order === 'asc' ? oldestFirst : oldestFirst.toReversed());
    });

    it('no next page after one that is just full', async () => {
      for (const n of [1, 2, 3]) await queued(n);
      expect((await jobs.list({ ownerId, limit: 3 })).lastJobId).toBeUndefined();
    });

    it('past deleted jobs, which nobody sees', async () => {
      for (let n = 1; n <= 6; n++) {
        const job = aCancelledJob({ ownerId, jobId: aJobId(n) });
        const record = n === 1 || n === 6 ? job : deleteJob(job, later(90_000)).job;
        await jobs.write({ job: record, guard: { absent: true } });
      }
      const page = await jobs.list({ ownerId, limit: 2 });
      expect({ ids: ids(page), lastJobId: page.lastJobId }).toEqual({
        ids: [aJobId(6), aJobId(1)],
        lastJobId: undefined,
      });
    });

    it('by terminal state, page after page', async () => {
      for (const n of [1, 2, 4]) await storeJob(jobs, aCancelledJob({ ownerId, jobId: aJobId(n) }));
      await storeJob(jobs, aCompletedJob({ ownerId, jobId: aJobId(3) }));
      const first = await jobs.list({ ownerId, limit: 2, state: 'cancelled' });
      const { lastJobId: afterJobId } = first;
      const second = await jobs.list({ ownerId, limit: 2, state: 'cancelled', afterJobId });
      expect([ids(first), ids(second)]).toEqual([[aJobId(4), aJobId(2)], [aJobId(1)]]);
      expect(ids(await jobs.list({ ownerId, limit: 2, state: 'completed' }))).toEqual([aJobId(3)]);
    });

    it('by creation, from one moment inclusive to another exclusive', async () => {
      for (const n of [1, 2, 3, 4]) await queued(n, minute(n));
      const page = await jobs.list({ ownerId, limit: 10, createdAfter: minute(2), createdBefore: minute(4) });
      expect(ids(page)).toEqual([aJobId(3, minute(3)), aJobId(2, minute(2))]);
    });

    it('by creation and state together', async () => {
      for (const n of [1, 2, 3]) {
        await storeJob(jobs, aCancelledJob({ ownerId, jobId: aJobId(n, minute(n)) }));
      }
      const page = await jobs.list({ ownerId, limit: 10, state: 'cancelled', createdAfter: minute(2) });
      expect(ids(page)).toEqual([aJobId(3, minute(3)), aJobId(2, minute(2))]);
    });

    it('nothing for a span that ends before it begins', async () => {
      await queued();
      const page = await jobs.list({ ownerId, limit: 1, createdAfter: minute(2), createdBefore: minute(1) });
      expect(page).toEqual({ jobs: [], lastJobId: undefined, unreadable: [] });
    });
  });
});
