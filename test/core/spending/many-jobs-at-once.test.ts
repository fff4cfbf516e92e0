import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { JobTable } from '../../../core/jobs/ports.ts';
import type { JobRecord } from '../../../core/jobs/record.ts';
import { countCostOfJob } from '../../../core/spending/count-usage.ts';
import { reserveJobCost } from '../../../core/spending/reserve-cost.ts';
import type { SpendingCounters } from '../../../core/spending/spending-counter.ts';
import { memorySpendingCounters } from '../../../lab/simulation/memory/spending-counters.ts';
import { aCompletedJob } from '../../builders/jobs/ended-jobs.ts';
import { aJobId, aProcessingJob, start } from '../../builders/jobs/jobs.ts';

beforeEach(() => void vi.useFakeTimers({ loopLimit: 1_000_000 }));
afterEach(() => void vi.useRealTimers());

const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

async function after<Result>(ms: number, call: () => Promise<Result>): Promise<Result> {
  await sleep(ms);
  return call();
}

/** Jobs whose ids end in random digits, a table of them, and spending counters: as slow as DynamoDB. */
function aSlowStage<Job extends JobRecord>(count: number, jobOf: (jobId: string) => Job) {
  const jobs = Array.from({ length: count }, (_, n) => {
    const random = ((n * 0x9e_37_79) % 0x1_00_00_00).toString(16).padStart(6, '0');
    return jobOf(aJobId(n, start).slice(0, -6) + random);
  });
  const found = new Map(jobs.map((job) => [job.jobId, job]));
  const spending = memorySpendingCounters();
  const slow: SpendingCounters = {
    ...spending,
    read: (ref) => after(5, () => spending.read(ref)),
    write: (ref, counter) => after(10, () => spending.write(ref, counter)),
  };
  const table: Pick<JobTable, 'get'> = { get: ({ jobId }) => after(5, async () => found.get(jobId)) };
  return { jobs, spending, deps: { jobs: table, clock: { sleep }, spending: slow } };
}

/** The number of calls of each outcome. */
async function outcomesOf(calls: readonly Promise<unknown>[]): Promise<Record<string, number>> {
  const settled = Promise.allSettled(calls);
  await vi.runAllTimersAsync();
  const statuses = (await settled).map(({ status }) => status);
  return Object.fromEntries([...Map.groupBy(statuses, (one) => one)].map(([key, all]) => [key, all.length]));
}

const cap = { usdPerDay: 1_000 };

it('150 jobs of one cap that reserve at once all reserve', async () => {
  const { jobs, spending, deps } = aSlowStage(150, (jobId) => ({ ...aProcessingJob({ jobId }), spendingCaps: [cap] }));
  const outcomes = await outcomesOf(jobs.map((job) => reserveJobCost(deps, job, 0.001)));
  expect(outcomes).toEqual({ fulfilled: 150 });
  const [{ ownerId, jobId } = aProcessingJob()] = jobs;
  expect(Object.keys((await spending.read({ ownerId, jobId })).reserved)).toHaveLength(150);
});

it('150 jobs of one cap that end at once are all counted', async () => {
  const { jobs, spending, deps } = aSlowStage(150, (jobId) => aCompletedJob({ jobId, usageCounted: false }));
  const outcomes = await outcomesOf(jobs.map((job) => countCostOfJob(deps, job, [cap])));
  expect(outcomes).toEqual({ fulfilled: 150 });
  const [{ ownerId, jobId } = aProcessingJob()] = jobs;
  expect((await spending.read({ ownerId, jobId })).version).toBe(150);
});
