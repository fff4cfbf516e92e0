import { expect, it } from 'vitest';
import { keyGrantSchema } from '../../../core/access/key-record.ts';
import type { Tenancy } from '../../../core/access/owner.ts';
import { type OwnerLimits, ownerLimitsSchema } from '../../../core/access/owner-limits.ts';
import { getLimits } from '../../../functions/usage/usage.ts';
import { memoryJobTable } from '../../../lab/simulation/memory/job-table.ts';
import { memoryRunningLimit } from '../../../lab/simulation/memory/running-limit.ts';
import { memorySpendingCounters } from '../../../lab/simulation/memory/spending-counters.ts';
import { callRoute } from '../../builders/http/call-route.ts';
import { aJobId, aProcessingJob, start } from '../../builders/jobs/jobs.ts';

const spending = memorySpendingCounters();
const jobs = memoryJobTable();
const running = memoryRunningLimit();
for (const [n, job] of [1, 2].map((n) => [n, aProcessingJob({ jobId: aJobId(n) })] as const)) {
  await jobs.write({ job, guard: { absent: true } });
  await running.enter(job, { max: n });
}

const appWith = (limits: Partial<OwnerLimits>, tenancy: Tenancy = 'multi') =>
  getLimits({
    limits: { ...ownerLimitsSchema.parse(limits), maxSlowDeliveries: 1, maxKeys: 10, maxOpenBatches: 10 },
    tenancy,
    spending,
    newJobId: (createdAt) => aJobId(99, createdAt),
    jobs: { ...jobs, countWaiting: async ({ queue }) => (queue === undefined ? 4 : 3) },
    running,
    ledger: { bytesOn: async (_, day) => (day === '2026-03-01' ? 5_000 : 0) },
    clock: { now: () => start },
  });

const app = appWith({});

it("an owner's limits are listed with their use", async () => {
  const { body } = await callRoute(app);
  expect(body.limits).toEqual([
    { limit: 'maxUnfinishedJobs', value: 1_000, use: 18 },
    { limit: 'maxRunningJobs', value: 10, use: 2 },
    { limit: 'maxUploadBytesPerDay', value: 100_000_000_000, use: 5_000 },
    { limit: 'maxRedeliveriesPerJob', value: 10, use: null },
  ]);
});

it('a key sees its own limits where they are lower', async () => {
  const limits = { maxUnfinishedJobs: 5, maxRedeliveriesPerJob: 99 };
  const key = keyGrantSchema.parse({ ownerId: 'owner-1', keyId: 'key-1', hash: 'hash', limits });
  const { body } = await callRoute(app, { principal: { ownerId: 'owner-1', caller: 'key', key } });
  expect(body.limits).toMatchObject([{ value: 5, use: 18 }, {}, {}, { value: 10 }]);
});

it('a team has no limits, and a key of it its own', async () => {
  const team = appWith({}, 'single');
  expect((await callRoute(team)).body.limits).toEqual([]);
  const limits = { maxUploadBytesPerDay: 9_000, usdPerDay: 3 };
  const key = keyGrantSchema.parse({ ownerId: 'owner-1', keyId: 'key-9', hash: 'hash', limits });
  const { body } = await callRoute(team, { principal: { ownerId: 'owner-1', caller: 'key', key } });
  expect(body.limits).toEqual([
    { limit: 'maxUploadBytesPerDay', value: 9_000, use: 5_000 },
    { limit: 'usdPerDay', value: 3, use: 0 },
  ]);
});

it('limits of spending are listed with what is spent and reserved under the cap that leaves the least', async () => {
  const jobId = aJobId(1, start);
  const day = start.toISOString().slice(0, 10);
  const counter = { version: 1, latest: [], reserved: { [jobId]: 500_000_000 } };
  await spending.write({ ownerId: 'owner-1', jobId }, { ...counter, spent: { [day]: 1_250_000_000 } });
  await spending.write({ ownerId: 'owner-1', jobId, keyId: 'key-1' }, { ...counter, spent: {} });
  const limits = { usdPerDay: 1 };
  const key = keyGrantSchema.parse({ ownerId: 'owner-1', keyId: 'key-1', hash: 'hash', limits });
  const capped = appWith({ usdPerDay: 2.5, usdPerMonth: 40 });
  const { body: bySession } = await callRoute(capped);
  expect(bySession.limits.slice(4)).toEqual([
    { limit: 'usdPerDay', value: 2.5, use: 1.75 },
    { limit: 'usdPerMonth', value: 40, use: 1.75 },
  ]);
  const { body: byKey } = await callRoute(capped, { principal: { ownerId: 'owner-1', caller: 'key', key } });
  expect(byKey.limits.slice(4)).toEqual([
    { limit: 'usdPerDay', value: 1, use: 0.5 },
    { limit: 'usdPerMonth', value: 40, use: 1.75 },
  ]);
});
