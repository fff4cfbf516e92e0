import * as z from 'zod';
import { jobTable } from '../../adapters/dynamodb/job-table.ts';
import { runningLimit } from '../../adapters/dynamodb/running-limit.ts';
import { spendingCounters } from '../../adapters/dynamodb/spending-counters.ts';
import { uploadLedger } from '../../adapters/dynamodb/upload-ledger.ts';
import { usageRecords } from '../../adapters/dynamodb/usage-counters.ts';
import { dynamo } from '../../adapters/runtime/clients/dynamo.ts';
import { readEnv, readOwnerLimits, readTenancy } from '../../adapters/runtime/env.ts';
import { answerRoutes, route } from '../../adapters/runtime/http/route.ts';
import { systemClock as clock, newJobId } from '../../adapters/system/clock.ts';
import { getLimitsContract, getUsageContract } from '../../core/api/usage.ts';
import { getLimits, getUsage } from './usage.ts';

const { TABLE_NAME } = readEnv(z.object({ TABLE_NAME: z.string() }));
const limits = readOwnerLimits();
const jobs = jobTable(dynamo, TABLE_NAME);
const running = runningLimit(dynamo, TABLE_NAME, limits.maxRunningJobs);

export const handler = answerRoutes<'usage'>({
  getUsage: route(getUsageContract, getUsage({ records: usageRecords(dynamo, TABLE_NAME), jobs, running, clock })),
  getLimits: route(
    getLimitsContract,
    getLimits({
      limits,
      tenancy: readTenancy(),
      jobs,
      running,
      spending: spendingCounters(dynamo, TABLE_NAME),
      ledger: uploadLedger(dynamo, TABLE_NAME),
      clock,
      newJobId,
    }),
  ),
});
