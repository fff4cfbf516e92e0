import { describe, expect, it } from 'vitest';
import { jobTable } from '../../../adapters/dynamodb/job-table.ts';
import { usageCounters, usageRecords } from '../../../adapters/dynamodb/usage-counters.ts';
import { emptyUsageCounter, type UsageCounter } from '../../../core/jobs/usage-counter.ts';
import { aCompletedJob } from '../../builders/jobs/ended-jobs.ts';
import { aJobId, aQueuedJob } from '../../builders/jobs/jobs.ts';
import { aDynaliteTable } from '../../builders/storage/dynalite-table.ts';

const day = Date.parse('2026-03-01T00:00:00.000Z');
const at = (milliseconds: number) => new Date(day + milliseconds);
const dayMs = 86_400_000;
const ownerId = 'owner-1';
const idAt = (n: number, milliseconds: number) => aJobId(n, at(milliseconds));

const table = await aDynaliteTable();
const counters = usageCounters(table.client, table.tableName);
const records = usageRecords(table.client, table.tableName);

const counted = (version: number): UsageCounter => ({
  ...emptyUsageCounter,
  version,
  jobs: { completed: version },
  mediaMs: 5,
  latest: ['a'],
});

describe('a usage counter', () => {
  const ref = { ownerId, jobId: idAt(1, 0), group: { caller: 'key-1', recipe: 'compress', preset: 'course@2' } };

  it('overwrites the previous version only', async () => {
    expect(await counters.read(ref)).toEqual(emptyUsageCounter);
    expect(await counters.write(ref, counted(1))).toBe(true);
    expect(await counters.write(ref, counted(1))).toBe(false);
    expect(await counters.write(ref, counted(2))).toBe(true);
    expect(await counters.write(ref, counted(4))).toBe(false);
    expect(await counters.read(ref)).toEqual(counted(2));
  });

  it('belongs to one group', async () => {
    for (const group of [
      undefined,
      { ...ref.group, caller: 'session' },
      { ...ref.group, recipe: 'trim' },
      { ...ref.group, preset: undefined },
    ])
      expect(await counters.read({ ...ref, group })).toEqual(emptyUsageCounter);
  });
});

describe('usage records', () => {
  it('are read for an owner and a period of days, from all shards', async () => {
    const group = { caller: 'session', recipe: 'hls', preset: 'course@2' };
    const refs = [idAt(2, -1), idAt(3, 0), idAt(4, dayMs - 1), idAt(5, dayMs), idAt(6, 2 * dayMs)].map(
      // The second is one of an earlier version.
      (jobId, n) => ({ ownerId: 'owner-2', jobId, group: n === 1 ? undefined : group }),
    );
    for (const ref of refs) await counters.write(ref, counted(1));
    const read = await records.totals({ ownerId: 'owner-2', firstDate: '2026-03-01', lastDate: '2026-03-02' });
    const sums = { mediaMs: 5, computeMs: 0, outputBytes: 0, nanoUsd: 0 };
    const rest = { jobs: { completed: 1 }, ...sums, latest: ['a'] };
    expect(read).toEqual({
      totals: [
        { date: '2026-03-02', group, ...rest },
        { date: '2026-03-01', group, ...rest },
        { date: '2026-03-01', group: undefined, ...rest },
      ],
      truncated: false,
    });
  });

  it('are read up to a number of counters, those of the newest days first', async () => {
    const period = { ownerId: 'owner-4', firstDate: '2026-03-01', lastDate: '2026-03-03' };
    for (const days of [0, 1, 2]) {
      const ref = { ownerId: 'owner-4', jobId: idAt(1, days * dayMs), group: undefined };
      await counters.write(ref, counted(1));
    }
    const read = async (maxCounters: number) => {
      const bounded = usageRecords(table.client, table.tableName, maxCounters);
      const { totals, truncated } = await bounded.totals(period);
      return { dates: totals.map(({ date }) => date), truncated };
    };
    expect(await read(2)).toEqual({ dates: ['2026-03-03', '2026-03-02'], truncated: true });
    expect(await read(3)).toEqual({ dates: ['2026-03-03', '2026-03-02', '2026-03-01'], truncated: false });
  });

  it('include the newest ended jobs that are not counted yet', async () => {
    const jobs = jobTable(table.client, table.tableName);
    const ended = (n: number, milliseconds: number, usageCounted: boolean | undefined) =>
      aCompletedJob({ ownerId: 'owner-3', jobId: idAt(n, milliseconds), usageCounted });
    const stored = [
      ended(1, -1, false),
      ended(2, 0, false),
      ended(3, 1, false),
      ended(4, 2, true),
      aQueuedJob({ ownerId: 'owner-3', jobId: idAt(5, 3) }),
      ended(6, dayMs, false),
    ];
    for (const job of stored) await jobs.write({ job, guard: { absent: true } });
    const read = async (limit: number) =>
      (await records.uncounted({ ownerId: 'owner-3', from: at(0), until: at(dayMs), limit })).map(({ jobId }) => jobId);
    expect(await read(10)).toEqual([idAt(3, 1), idAt(2, 0)]);
    // The newest three are the queued job, the counted one, and this.
    expect(await read(3)).toEqual([idAt(3, 1)]);
  });
});
