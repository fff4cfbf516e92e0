import { aVirtualClock } from '@media-jobs/testing/virtual-clock';
import { describe, expect, it } from 'vitest';
import { getUsageContract } from '../../../core/api/usage.ts';
import { jobCreatedAt } from '../../../core/jobs/job-id.ts';
import type { JobTable } from '../../../core/jobs/ports.ts';
import type { UsageGroup } from '../../../core/jobs/usage.ts';
import { emptyUsageCounter, type UsageRecords } from '../../../core/jobs/usage-counter.ts';
import { getUsage } from '../../../functions/usage/usage.ts';
import { memoryJobTable } from '../../../lab/simulation/memory/job-table.ts';
import { memoryRunningLimit } from '../../../lab/simulation/memory/running-limit.ts';
import { callRoute } from '../../builders/http/call-route.ts';
import { aCompletedJob } from '../../builders/jobs/ended-jobs.ts';
import { aJobId, aProcessingJob, aQueuedJob, start } from '../../builders/jobs/jobs.ts';

const clock = aVirtualClock(start);

describe('usage', () => {
  const noUsage: UsageRecords = {
    totals: async () => ({ totals: [], truncated: false }),
    uncounted: async () => [],
  };
  const counters = (
    ...totals: Awaited<ReturnType<UsageRecords['totals']>>['totals']
  ): Pick<UsageRecords, 'totals'> => ({ totals: async () => ({ totals, truncated: false }) });
  const someRoutes = (records: Partial<UsageRecords> = {}, more: Partial<JobTable> = {}) => {
    const jobs = { ...memoryJobTable(), ...more };
    const running = memoryRunningLimit();
    const app = getUsage({ records: { ...noUsage, ...records }, jobs, running, clock });
    return { jobs, running, read: (query = {}) => callRoute(app, { query }) };
  };

  it('covers the last 31 days including today by default', async () => {
    const requests: object[] = [];
    const { read } = someRoutes(
      {
        totals: async ({ firstDate, lastDate }) => {
          requests.push({ firstDate, lastDate });
          return { totals: [], truncated: false };
        },
      },
      {
        waitingIds: async ({ queue, from = '', before = '' }) => {
          requests.push({ queue, from: jobCreatedAt(from), before: jobCreatedAt(before) });
          return [];
        },
      },
    );
    const { body } = await read();
    expect(body.days).toHaveLength(31);
    expect(body.days.at(0)?.date).toBe('2026-01-30');
    expect(body.days.at(-1)?.date).toBe('2026-03-01');
    const period = { from: new Date('2026-01-30'), before: new Date('2026-03-02') };
    expect(requests).toEqual([
      { queue: undefined, ...period },
      { queue: 'long', ...period },
      { queue: 'economy', ...period },
      { queue: 'batch', ...period },
      { queue: 'later', ...period },
      { firstDate: '2026-01-30', lastDate: '2026-03-01' },
    ]);
  });

  it('has days from 2000 on, from which all 31 days have a date of four digits', async () => {
    const parse = (query: object) => getUsageContract.query.safeParse(query);
    expect(parse({ from: '2000-01-01', to: '2000-01-01' }).success).toBe(true);
    for (const [name, day] of [
      ['from', '1999-12-31'],
      ['to', '0000-01-15'],
    ] as const) {
      const message = 'Must not be before 2000-01-01';
      expect(parse({ [name]: day }).error?.issues).toMatchObject([{ path: [name], message }]);
    }
    for (const to of ['2000-01-01', '9999-12-31']) {
      const { body } = await someRoutes().read({ to });
      expect(getUsageContract.responses[200].schema.safeParse(body).success).toBe(true);
    }
  });

  it('covers the requested days, both ends included', async () => {
    const { read } = someRoutes();
    const { body } = await read({ from: '2026-02-27', to: '2026-03-01' });
    expect(body.days.map(({ date }) => date)).toEqual(['2026-02-27', '2026-02-28', '2026-03-01']);
  });

  it('adds the counters of ended jobs and the unfinished jobs of the period', async () => {
    const ended = {
      jobs: { completed: 2, failed: 1 },
      mediaMs: 1_500,
      computeMs: 200,
      outputBytes: 9,
      nanoUsd: 250_000_000,
    };
    const counter = { ...emptyUsageCounter, ...ended, date: '2026-03-01' };
    const { read, jobs, running } = someRoutes(counters(counter, counter));
    const dayBefore = new Date(start.getTime() - 24 * 3_600_000);
    for (const job of [
      aQueuedJob({ jobId: aJobId(1, start) }),
      aProcessingJob({ jobId: aJobId(2, start) }),
      aProcessingJob({ jobId: aJobId(3, dayBefore) }),
    ]) {
      await jobs.write({ job, guard: { absent: true } });
      if (job.state === 'processing') await running.enter(job, { max: 10 });
    }
    const { body } = await read();
    const none = { queued: 0, processing: 0, completed: 0, failed: 0, rejected: 0, cancelled: 0 };
    const [first, ...days] = body.days;
    expect(first).toEqual({
      ...{ date: '2026-01-30', jobs: none },
      ...{ mediaSeconds: 0, computeSeconds: 0, outputBytes: 0, usd: 0 },
    });
    expect(days.at(-1)).toEqual({
      ...{ date: '2026-03-01', jobs: { ...none, queued: 1, processing: 1, completed: 4, failed: 2 } },
      ...{ mediaSeconds: 3, computeSeconds: 0.4, outputBytes: 18, usd: 0.5 },
    });
    expect(body.truncated).toBe(false);
  });

  it('has the groups of each day in the requested grouping, the most expensive first', async () => {
    const counter = (group: UsageGroup | undefined, nanoUsd: number) => ({
      date: '2026-03-01',
      group,
      jobs: { completed: 1 },
      latest: [],
      mediaMs: 500,
      computeMs: 250,
      outputBytes: 9,
      nanoUsd,
    });
    const { read } = someRoutes(
      counters(
        counter({ caller: 'key-1', recipe: 'hls' }, 1e9),
        counter({ caller: 'key-1', recipe: 'hls' }, 1e9),
        counter({ caller: 'key-1', recipe: 'compress' }, 3e9),
        counter({ caller: 'session', recipe: 'hls', preset: 'course@2' }, 4e9),
        // Of an earlier version.
        counter(undefined, 8e9),
      ),
    );
    const groupsBy = async (by?: string) =>
      (await read({ by })).body.days
        .at(-1)
        ?.groups?.map(({ jobs, usd, mediaSeconds: _, computeSeconds: __, outputBytes: ___, ...labels }) => ({
          ...labels,
          completed: jobs.completed,
          usd,
        }));
    expect(await groupsBy()).toBeUndefined();
    expect(await groupsBy('key')).toEqual([
      { keyId: null, completed: 2, usd: 12 },
      { keyId: 'key-1', completed: 3, usd: 5 },
    ]);
    expect(await groupsBy('recipe')).toEqual([
      { recipe: null, completed: 1, usd: 8 },
      { recipe: 'hls', completed: 3, usd: 6 },
      { recipe: 'compress', completed: 1, usd: 3 },
    ]);
    expect(await groupsBy('preset')).toEqual([
      { preset: null, completed: 4, usd: 13 },
      { preset: 'course@2', completed: 1, usd: 4 },
    ]);
    expect(await groupsBy('key,recipe')).toEqual([
      { keyId: null, recipe: null, completed: 1, usd: 8 },
      { keyId: null, recipe: 'hls', completed: 1, usd: 4 },
      { keyId: 'key-1', recipe: 'compress', completed: 1, usd: 3 },
      { keyId: 'key-1', recipe: 'hls', completed: 2, usd: 2 },
    ]);
  });

  it('has the groups of a metadata key, from the records of the jobs of the period', async () => {
    const { read, jobs } = someRoutes();
    const dayBefore = new Date(start.getTime() - 24 * 3_600_000);
    const anEnded = (n: number, createdAt: Date, metadata?: Record<string, string>, usd = 1) => {
      const job = aCompletedJob({ jobId: aJobId(n, createdAt), cost: { transcoding: usd * 1e9 } });
      return { ...job, request: { ...job.request, metadata } };
    };
    const ended = [
      anEnded(1, start, { order: '17' }),
      anEnded(2, start, { order: '17' }, 3),
      anEnded(3, start, { order: '__proto__' }, 2),
      anEnded(4, start, { other: 'x' }),
      anEnded(5, dayBefore, { order: '17' }),
    ];
    for (const job of [...ended, aQueuedJob({ jobId: aJobId(6, start) })])
      await jobs.write({ job, guard: { absent: true } });
    const { body } = await read({ by: 'metadata.order', from: '2026-03-01' });
    expect(body.days[0]?.groups).toMatchObject([
      { value: '17', jobs: { completed: 2 }, usd: 4 },
      { value: '__proto__', jobs: { completed: 1 }, usd: 2 },
      { value: null, jobs: { completed: 1 }, usd: 1 },
    ]);
    expect(body.truncated).toBe(false);
  });

  it('has `truncated` if more jobs than are read could have a metadata value', async () => {
    const list: JobTable['list'] = async ({ limit }) => {
      const jobs = Array.from({ length: limit }, (_, n) => aCompletedJob({ jobId: aJobId(n, start) }));
      return { jobs, lastJobId: aJobId(1, start), unreadable: [] };
    };
    const { body } = await someRoutes({}, { list }).read({ by: 'metadata.order' });
    expect(body.days.at(-1)?.groups).toMatchObject([{ value: null, jobs: { completed: 10_000 } }]);
    expect(body.truncated).toBe(true);
  });

  it.each(['owner', 'key;preset', 'metadata.', `metadata.${'k'.repeat(41)}`, 'key,metadata.a', ''])(
    'cannot be by %j',
    (by) => {
      expect(getUsageContract.query.safeParse({ by }).error?.issues).toMatchObject([{ path: ['by'] }]);
    },
  );

  it('adds an ended job that no counter has yet, once', async () => {
    const [fresh, named] = [1, 2].map((n) => aCompletedJob({ jobId: aJobId(n, start), usageCounted: false }));
    if (fresh === undefined || named === undefined) throw new Error('two jobs');
    const latest = [named.jobId];
    const counter = { ...emptyUsageCounter, date: '2026-03-01', jobs: { completed: 1 }, latest };
    const { read } = someRoutes({ ...counters(counter), uncounted: async () => [fresh, named] });
    expect((await read()).body.days.at(-1)?.jobs.completed).toBe(2);
  });

  it('has `truncated` if it did not count every unfinished job', async () => {
    const waitingIds: JobTable['waitingIds'] = async ({ queue, limit }) =>
      queue === undefined ? Array.from({ length: limit }, (_, n) => aJobId(n, start)) : [];
    const { read } = someRoutes({}, { waitingIds });
    const { body } = await read();
    expect(body.days.at(-1)?.jobs.queued).toBe(10_000);
    expect(body.truncated).toBe(true);
  });

  it('has `truncated` if it did not read every counter of ended jobs', async () => {
    const { read } = someRoutes({ totals: async () => ({ totals: [], truncated: true }) });
    expect((await read()).body.truncated).toBe(true);
  });

  it.each([
    ['more than 31 days', { from: '2026-01-01', to: '2026-02-01' }],
    ['days that end before they begin', { from: '2026-02-02', to: '2026-02-01' }],
  ])('rejects %s', async (_, query) => {
    await expect(someRoutes().read(query)).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      details: [{ path: 'query.from', message: expect.any(String) }],
    });
  });
});
