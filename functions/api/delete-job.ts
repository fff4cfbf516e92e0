import * as z from 'zod';
import { jobTable } from '../../adapters/dynamodb/job-table.ts';
import { systemClock } from '../../adapters/system/clock.ts';
import { deleteJobContract } from '../../core/api/job-actions.ts';
import { dynamo } from '../runtime/clients/dynamo.ts';
import { readEnv } from '../runtime/env.ts';
import { route } from '../runtime/http/route.ts';
import { deleteJob } from './app/delete-job.ts';

const { TABLE_NAME } = readEnv(z.object({ TABLE_NAME: z.string() }));

export const handler = route(
  deleteJobContract,
  deleteJob({ jobs: jobTable(dynamo, TABLE_NAME), clock: systemClock }),
);
