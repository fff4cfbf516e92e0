import { beforeEach, describe, expect, it } from 'vitest';
import { jobTable } from '../../adapters/dynamodb/job-table.ts';
import { settleDelivery } from '../../core/jobs/delivery-transitions.ts';
import { type DueKind, dueKinds, dueShard, dueShards } from '../../core/jobs/durations.ts';
import type { DueRef, JobTable } from '../../core/jobs/ports.ts';
import type { JobIn } from '../../core/jobs/record.ts';
import { deleteJob } from '../../core/jobs/removal-transitions.ts';
import { cancel } from '../../core/jobs/termination.ts';
import { claim, resend } from '../../core/jobs/transitions.ts';
import { memoryJobTable } from '../../lab/simulation/memory/job-table.ts';
import { aCancelledJob } from '../builders/jobs/ended-jobs.ts';
import { aJobId, aQueuedJob, later } from '../builders/jobs/jobs.ts';
import { storeJob } from './store-job.ts';
import { aNewOwner, bothStores } from './stores.ts';

const far = new Date('2126-01-01T00:00:00.000Z');

describe.each(bothStores(jobTable, memoryJobTable))('the job table %s finds due jobs', (_, open) => {
  let jobs: JobTable;
  let ownerId: string;
  beforeEach(async () => {
    jobs = await open();
    ownerId = aNewOwner();
  });
  const queued = (n = 1) => storeJob(jobs, aQueuedJob({ ownerId, jobId: aJobId(n) }));
  /** Only those of this test's owner: all tests of this file share a table. */
  const dueIn = async (shard: number, now: Date, kind: DueKind = 'waiting') =>
    (await jobs.due({ kind, shard, now, limit: 1_000 })).filter((ref) => ref.ownerId === ownerId);

  it('in the shard of their id, and in no other', async () => {
    const job = await queued();
    const found = await Promise.all(Array.from({ length: dueShards }, (_, shard) => dueIn(shard, far)));
    expect(found.flatMap((refs, shard) => (refs.length > 0 ? [shard] : []))).toEqual([dueShard(job.jobId)]);
    expect(found.flat()).toEqual([{ ownerId, jobId: job.jobId, dueAt: job.dueAt }]);
  });

  it('once their dueAt has come, and not a millisecond before', async () => {
    const { jobId, dueAt } = await queued();
    const shard = dueShard(jobId);
    expect(await dueIn(shard, new Date(Date.parse(dueAt) - 1))).toEqual([]);
    expect(await dueIn(shard, new Date(dueAt))).toHaveLength(1);
  });

  it.each([
    ['running', () => claim(aQueuedJob(), 'lease-1', later(31_000)).job],
    ['waiting', aQueuedJob],
    ['delivery', aCancelledJob],
  ] as const)('of the kind %s apart from all others', async (kind, build) => {
    const { jobId } = await storeJob(jobs, { ...build(), ownerId, jobId: aJobId() });
    for (const queried of dueKinds) {
      expect(await dueIn(dueShard(jobId), far, queried)).toHaveLength(queried === kind ? 1 : 0);
    }
  });

  it('at the end of a lease of 40 s, if they were claimed after their message was sent again', async () => {
    const resent = resend(aQueuedJob({ ownerId }), later(50_000)).job;
    const claimed = await storeJob(jobs, claim(resent, 'lease-1', later(60_000)).job);
    expect(await dueIn(dueShard(claimed.jobId), later(100_000), 'running')).toHaveLength(1);
  });

  it('of the kind under which their first check was listed, while they are due at that', async () => {
    const claimed = claim(aQueuedJob({ ownerId }), 'lease-1', later(1_000)).job;
    const end = { now: later(3_000), webhookTarget: null, deliveryId: 'delivery-1' };
    await storeJob(jobs, cancel(claimed, end).job);
    const shard = dueShard(claimed.jobId);
    expect([await dueIn(shard, far), await dueIn(shard, far, 'delivery')]).toEqual([
      [{ ownerId, jobId: claimed.jobId, dueAt: claimed.dueAt }],
      [],
    ]);
  });

  it('in the order of their dueAt', async () => {
    const shardMates = [4, 8, 0xc].map((n) => aJobId(n * 0x10));
    for (const [index, jobId] of shardMates.entries()) {
      const job = aQueuedJob({ ownerId, jobId });
      await storeJob(jobs, { ...job, dueAt: later(-index * 1_000).toISOString() });
    }
    const found = await dueIn(dueShard(shardMates[0] ?? ''), far);
    expect(found.map(({ jobId }) => jobId)).toEqual([...shardMates].reverse());
  });

  it('up to the limit of the query', async () => {
    for (const n of [0x10, 0x20, 0x30]) await queued(n);
    expect(await jobs.due({ kind: 'waiting', shard: dueShard(aJobId(0x10)), now: far, limit: 2 })).toHaveLength(2);
  });

  it('once each, page after page, even if they are due at the same time', async () => {
    const shardMates = [1, 2, 3, 4, 5].map((n) => aJobId(n * 0x10));
    for (const jobId of shardMates) await storeJob(jobs, aQueuedJob({ ownerId, jobId }));
    const shard = dueShard(aJobId(0x10));
    const seen: string[] = [];
    let after: DueRef | undefined;
    do {
      const page = await jobs.due({ kind: 'waiting', shard, now: far, limit: 2, after });
      seen.push(...page.filter((ref) => ref.ownerId === ownerId).map(({ jobId }) => jobId));
      after = page.at(-1);
    } while (after !== undefined);
    expect(seen.sort()).toEqual(shardMates);
  });

  it('but none whose dueAt was removed', async () => {
    const job = await storeJob(jobs, aCancelledJob({ ownerId, jobId: aJobId() }));
    await jobs.write(settleDelivery(job, 'delivery-1', 'delivered'));
    for (const kind of dueKinds) expect(await dueIn(dueShard(job.jobId), far, kind)).toEqual([]);
  });

  it('among them deleted ones, whose files are still to be removed', async () => {
    const tombstone: JobIn<'deleted'> = deleteJob(aCancelledJob({ ownerId }), later(90_000)).job;
    await jobs.write({ job: tombstone, guard: { absent: true } });
    expect(await dueIn(dueShard(tombstone.jobId), far, 'sweep')).toHaveLength(1);
  });
});
