import * as z from 'zod';
import { jobLogs } from '../../../adapters/dynamodb/job-logs.ts';
import { jobTable } from '../../../adapters/dynamodb/job-table.ts';
import { dynamo } from '../../../adapters/runtime/clients/dynamo.ts';
import { readEnv } from '../../../adapters/runtime/env.ts';
import { route } from '../../../adapters/runtime/http/route.ts';
import { getJobLogContract } from '../../../core/api/job-actions.ts';
import { getJobLog } from '../get-job-log.ts';

const { TABLE_NAME } = readEnv(z.object({ TABLE_NAME: z.string() }));

export const handler = route(
  getJobLogContract,
  getJobLog({ jobs: jobTable(dynamo, TABLE_NAME), logs: jobLogs(dynamo, TABLE_NAME) }),
);
