import * as z from 'zod';
import { jobTable } from '../../../adapters/dynamodb/job-table.ts';
import { runningSlots } from '../../../adapters/dynamodb/running-slots.ts';
import { spendingCounters } from '../../../adapters/dynamodb/spending-counters.ts';
import { uploadLedger } from '../../../adapters/dynamodb/upload-ledger.ts';
import { dynamo } from '../../../adapters/runtime/clients/dynamo.ts';
import { readEnv } from '../../../adapters/runtime/env.ts';
import { route } from '../../../adapters/runtime/http/route.ts';
import { readOwnerLimits } from '../../../adapters/runtime/owner-limits.ts';
import { newJobId } from '../../../adapters/runtime/random.ts';
import { readTenancy } from '../../../adapters/runtime/tenancy.ts';
import { systemClock } from '../../../adapters/system/clock.ts';
import { getLimitsContract } from '../../../core/api/limits.ts';
import { getLimits } from '../get-limits.ts';

const { TABLE_NAME } = readEnv(z.object({ TABLE_NAME: z.string() }));

const limits = readOwnerLimits();

export const handler = route(
  getLimitsContract,
  getLimits({
    limits,
    tenancy: readTenancy(),
    jobs: jobTable(dynamo, TABLE_NAME),
    slots: runningSlots(dynamo, TABLE_NAME, limits.maxRunningJobs),
    spending: spendingCounters(dynamo, TABLE_NAME),
    ledger: uploadLedger(dynamo, TABLE_NAME),
    clock: systemClock,
    newJobId,
  }),
);
