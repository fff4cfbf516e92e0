import { aVirtualClock } from '@media-jobs/testing/virtual-clock';
import { describe, expect, it } from 'vitest';
import { ConflictError } from '../../../core/async.ts';
import { settleDelivery } from '../../../core/jobs/delivery-transitions.ts';
import type { TerminalJob } from '../../../core/jobs/record.ts';
import { deleteJob } from '../../../core/jobs/removal-transitions.ts';
import { UnreadableJobError } from '../../../core/jobs/unreadable-job-error.ts';
import {
  type CountedRecord,
  emptyUsageCounter,
  type UsageCounters,
  type UsageRef,
  usageRefOf,
} from '../../../core/jobs/usage-counter.ts';
import { countUsage } from '../../../core/spending/count-usage.ts';
import { memoryJobTable } from '../../../lab/simulation/memory/job-table.ts';
import { memorySpendingCounters } from '../../../lab/simulation/memory/spending-counters.ts';
import { memoryUsageCounters } from '../../../lab/simulation/memory/usage-counters.ts';
import { aCompletedJob } from '../../builders/jobs/ended-jobs.ts';
import { aJobId, later } from '../../builders/jobs/jobs.ts';

const jobOf = (n: number) => aCompletedJob({ jobId: aJobId(n), usageCounted: false });
const job = jobOf(1);

async function aStage(...records: TerminalJob[]) {
  const jobs = memoryJobTable();
  for (const record of records) await jobs.write({ job: record, guard: { absent: true } });
  const usage = memoryUsageCounters();
  const spending = memorySpendingCounters();
  return {
    jobs,
    usage,
    spending,
    count: (ended: CountedRecord = job, counters: UsageCounters = usage) =>
      countUsage({ jobs, usage: counters, spending, clock: aVirtualClock(later(0)) }, ended),
    settle: (ended = job) => jobs.write(settleDelivery(ended, 'delivery-1', 'delivered')),
    remove: (ended = job) => jobs.write(deleteJob(ended, later(0))),
    completed: async () => (await usage.read(usageRefOf(job))).jobs.completed,
    names: async () => (await usage.read(usageRefOf(job))).latest,
  };
}

describe('an ended job', () => {
  it('is counted once, however often that is repeated', async () => {
    const { count, settle, completed } = await aStage(job);
    await count();
    await count();
    await settle();
    await count();
    expect(await completed()).toBe(1);
  });

  it('is counted once if it was counted and its name removed between two reads', async () => {
    const { usage, count, settle, completed } = await aStage(job);
    let reads = 0;
    const delayed: UsageCounters = {
      ...usage,
      read: async (ref) => {
        const counter = await usage.read(ref);
        reads += 1;
        if (reads > 1) return counter;
        await count();
        await settle();
        await usage.write(ref, { ...(await usage.read(ref)), version: 2, latest: [] });
        return counter;
      },
    };
    await count(job, delayed);
    expect({ reads, completed: await completed() }).toEqual({ reads: 1, completed: 1 });
  });

  it('is counted after a conflict with another job', async () => {
    const { usage, count, completed } = await aStage(job, jobOf(2));
    let conflicts = 0;
    const disturbed: UsageCounters = {
      ...usage,
      write: async (ref, counter) => {
        if (conflicts++ === 0) await count(jobOf(2));
        return usage.write(ref, counter);
      },
    };
    await count(job, disturbed);
    expect({ conflicts, completed: await completed() }).toEqual({ conflicts: 2, completed: 2 });
  });

  it('fails with a ConflictError if every write has a conflict', async () => {
    const { count, usage } = await aStage(job);
    await expect(count(job, { ...usage, write: async () => false })).rejects.toThrow(ConflictError);
  });
});

describe('a deleted job', () => {
  it('is subtracted once', async () => {
    const { count, remove, completed } = await aStage(job);
    await count();
    await remove();
    await count();
    await count();
    expect(await completed()).toBe(0);
  });

  it('is not subtracted if it was never counted, and a delayed count fails', async () => {
    const { usage, jobs, count, remove } = await aStage(job);
    const delayed: UsageCounters = {
      ...usage,
      write: async (ref, counter) => {
        if ((await jobs.get(ref))?.state !== 'deleted') {
          await remove();
          await count();
        }
        return usage.write(ref, counter);
      },
    };
    await count(job, delayed);
    expect(await usage.read(usageRefOf(job))).toMatchObject({ jobs: {}, mediaMs: 0 });
  });

  it('is not subtracted from a counter that has expired', async () => {
    const { usage, count, remove } = await aStage({ ...job, usageCounted: true });
    await remove({ ...job, usageCounted: true });
    await count();
    expect(await usage.read(usageRefOf(job))).toEqual(emptyUsageCounter);
  });
});

describe('a job of a caller', () => {
  const ofKey = { ...jobOf(1), caller: 'key-1' };
  const group = { caller: 'key-1', recipe: 'compress' };
  const refOf = ({ ownerId, jobId }: TerminalJob) => ({ ownerId, jobId });

  it('is counted with the jobs of the same caller and recipe, and subtracted from them', async () => {
    const others = [
      { ...jobOf(2), caller: 'session' },
      { ...jobOf(3), caller: 'key-1', request: { ...job.request, recipe: { name: 'thumbnail' } } },
      jobOf(4),
    ];
    const { usage, jobs, count, remove } = await aStage(ofKey, ...others);
    for (const one of [ofKey, ...others]) await count(one);
    const completedBy = async (of: UsageRef['group']) =>
      (await usage.read({ ...refOf(job), group: of })).jobs.completed;
    for (const of of [group, { ...group, caller: 'session' }, { ...group, recipe: 'thumbnail' }, undefined])
      expect(await completedBy(of)).toBe(1);
    await remove(ofKey);
    const deleted = await jobs.get(ofKey);
    if (deleted?.state !== 'deleted') throw new Error('The job was deleted');
    await count(deleted);
    await count(deleted);
    expect(await completedBy(group)).toBe(0);
    expect(await completedBy(undefined)).toBe(1);
  });
});

describe('the names of a counter', () => {
  it('are removed once the records are marked as counted', async () => {
    const all = Array.from({ length: 9 }, (_, n) => jobOf(n));
    const { count, settle, completed, names } = await aStage(...all);
    for (const [n, one] of all.entries()) {
      await count(one);
      if (n !== 4) await settle(one);
    }
    expect(await names()).toEqual([jobOf(4).jobId, jobOf(8).jobId]);
    expect(await completed()).toBe(9);
  });

  it('stay while the record of their job cannot be read, and the next job is counted', async () => {
    const all = Array.from({ length: 9 }, (_, n) => jobOf(n));
    const { jobs, count, settle, completed, names } = await aStage(...all);
    for (const one of all.slice(0, 8)) {
      await count(one);
      await settle(one);
    }
    const { get } = jobs;
    jobs.get = async (ref) => {
      if (ref.jobId === jobOf(4).jobId) throw new UnreadableJobError(ref, new Error('unknown error code'));
      return get(ref);
    };
    await count(jobOf(8));
    expect(await names()).toEqual([jobOf(4).jobId, jobOf(8).jobId]);
    expect(await completed()).toBe(9);
  });
});

describe('the cost of a job under caps', () => {
  const capped = aCompletedJob({
    jobId: aJobId(1),
    usageCounted: false,
    cost: { transcoding: 7_000 },
    spendingCaps: [{ usdPerDay: 5 }, { keyId: 'key-1', usdPerDay: 1 }],
  });
  const costs = { spent: { '2026-03-01': 7_000 } };

  it('is added to each counter once, and its reservation removed', async () => {
    const { count, settle, spending } = await aStage(capped);
    const before = { version: 1, spent: {}, reserved: { [capped.jobId]: 9_000 }, latest: [] };
    await spending.write({ ...capped, keyId: 'key-1' }, before);
    await count(capped);
    await count(capped);
    await settle(capped);
    await count(capped);
    expect(await spending.read(capped)).toMatchObject({ ...costs, version: 1, reserved: {} });
    expect(await spending.read({ ...capped, keyId: 'key-1' })).toMatchObject({ ...costs, version: 2, reserved: {} });
  });

  it('stays if the job is deleted, before or after it was counted', async () => {
    for (const isCounted of [false, true]) {
      const { count, remove, spending } = await aStage(capped);
      if (isCounted) await count(capped);
      await remove(capped);
      await count(capped);
      expect(await spending.read(capped)).toMatchObject(costs);
    }
  });
});
