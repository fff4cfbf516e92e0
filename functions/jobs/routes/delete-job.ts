import * as z from 'zod';
import { jobTable } from '../../../adapters/dynamodb/job-table.ts';
import { spendingCounters } from '../../../adapters/dynamodb/spending-counters.ts';
import { usageCounters } from '../../../adapters/dynamodb/usage-counters.ts';
import { dynamo } from '../../../adapters/runtime/clients/dynamo.ts';
import { readEnv } from '../../../adapters/runtime/env.ts';
import { route } from '../../../adapters/runtime/http/route.ts';
import { logger } from '../../../adapters/runtime/logger.ts';
import { systemClock } from '../../../adapters/system/clock.ts';
import { deleteJobContract } from '../../../core/api/job-actions.ts';
import { deleteJob } from '../delete-job.ts';

const { TABLE_NAME } = readEnv(z.object({ TABLE_NAME: z.string() }));

export const handler = route(
  deleteJobContract,
  deleteJob({
    jobs: jobTable(dynamo, TABLE_NAME),
    usage: usageCounters(dynamo, TABLE_NAME),
    spending: spendingCounters(dynamo, TABLE_NAME),
    clock: systemClock,
    onUsageFailure: ({ jobId }, cause) =>
      logger.warn('The usage of a deleted job was not subtracted; reconcile does that', {
        jobId,
        error: cause,
      }),
  }),
);
