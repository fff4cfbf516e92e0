import * as z from 'zod';
import { jobLogs } from '../../adapters/dynamodb/job-logs.ts';
import { jobTable } from '../../adapters/dynamodb/job-table.ts';
import { getJobLogContract } from '../../core/api/job-actions.ts';
import { dynamo } from '../runtime/clients/dynamo.ts';
import { readEnv } from '../runtime/env.ts';
import { route } from '../runtime/http/route.ts';
import { getJobLog } from './app/get-job-log.ts';

const { TABLE_NAME } = readEnv(z.object({ TABLE_NAME: z.string() }));

export const handler = route(
  getJobLogContract,
  getJobLog({ jobs: jobTable(dynamo, TABLE_NAME), logs: jobLogs(dynamo, TABLE_NAME) }),
);
