import * as z from 'zod';
import { jobTable } from '../../adapters/dynamodb/job-table.ts';
import { spendingCounters } from '../../adapters/dynamodb/spending-counters.ts';
import { usageCounters } from '../../adapters/dynamodb/usage-counters.ts';
import { systemClock } from '../../adapters/system/clock.ts';
import { deleteJobContract } from '../../core/api/job-actions.ts';
import { dynamo } from '../runtime/clients/dynamo.ts';
import { readEnv } from '../runtime/env.ts';
import { route } from '../runtime/http/route.ts';
import { logger } from '../runtime/logger.ts';
import { deleteJob } from './app/delete-job.ts';

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
