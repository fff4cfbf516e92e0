import * as z from 'zod';
import { jobTable } from '../../../adapters/dynamodb/job-table.ts';
import { runningSlots } from '../../../adapters/dynamodb/running-slots.ts';
import { usageRecords } from '../../../adapters/dynamodb/usage-records.ts';
import { dynamo } from '../../../adapters/runtime/clients/dynamo.ts';
import { readEnv } from '../../../adapters/runtime/env.ts';
import { route } from '../../../adapters/runtime/http/route.ts';
import { readOwnerLimits } from '../../../adapters/runtime/owner-limits.ts';
import { systemClock } from '../../../adapters/system/clock.ts';
import { getUsageContract } from '../../../core/api/usage.ts';
import { getUsage } from '../get-usage.ts';

const { TABLE_NAME } = readEnv(z.object({ TABLE_NAME: z.string() }));

export const handler = route(
  getUsageContract,
  getUsage({
    records: usageRecords(dynamo, TABLE_NAME),
    jobs: jobTable(dynamo, TABLE_NAME),
    slots: runningSlots(dynamo, TABLE_NAME, readOwnerLimits().maxRunningJobs),
    clock: systemClock,
  }),
);
