import { expect, it } from 'vitest';
import { keyGrantSchema } from '../../../core/access/key-record.ts';
import { ownerLimitsSchema } from '../../../core/access/owner-limits.ts';
import { getLimits } from '../../../functions/api/app/get-limits.ts';
import { callRoute } from '../../builders/http/call-route.ts';
import { start } from '../../builders/jobs/jobs.ts';

const app = getLimits({
  limits: ownerLimitsSchema.parse({}),
  jobs: { count: async ({ state }) => (state === 'queued' ? 7 : 2) },
  ledger: { bytesOn: async (_, day) => (day === '2026-03-01' ? 5_000 : 0) },
  clock: { now: () => start },
});

it("an owner's limits are listed with their use", async () => {
  const { body } = await callRoute(app);
  expect(body.limits).toEqual([
    { limit: 'maxUnfinishedJobs', value: 1_000, use: 9 },
    { limit: 'maxRunningJobs', value: 10, use: 2 },
    { limit: 'maxUploadBytesPerDay', value: 100_000_000_000, use: 5_000 },
    { limit: 'maxRedeliveriesPerJob', value: 10, use: null },
  ]);
});

it('a key sees its own limits where they are lower', async () => {
  const limits = { maxUnfinishedJobs: 5, maxRedeliveriesPerJob: 99 };
  const key = keyGrantSchema.parse({ ownerId: 'owner-1', keyId: 'key-1', hash: 'hash', limits });
  const { body } = await callRoute(app, { principal: { ownerId: 'owner-1', caller: 'key', key } });
  expect(body.limits).toMatchObject([{ value: 5, use: 9 }, {}, {}, { value: 10 }]);
});
