import * as z from 'zod';
import { jobTable } from '../../adapters/dynamodb/job-table.ts';
import { runningSlots } from '../../adapters/dynamodb/running-slots.ts';
import { systemClock } from '../../adapters/system/clock.ts';
import { getJobContract } from '../../core/api/jobs.ts';
import { dynamo } from '../runtime/clients/dynamo.ts';
import { readEnv } from '../runtime/env.ts';
import { route } from '../runtime/http/route.ts';
import { fileLinks } from '../runtime/media-urls.ts';
import { readOwnerLimits } from '../runtime/owner-limits.ts';
import { getJob } from './app/get-job.ts';

const env = readEnv(
  z.object({
    TABLE_NAME: z.string(),
    /** The jobs that the stage processes at the same time. */
    WORKERS: z.coerce.number().int().min(1),
  }),
);

const { maxRunningJobs } = readOwnerLimits();

export const handler = route(
  getJobContract,
  getJob({
    jobs: jobTable(dynamo, env.TABLE_NAME),
    files: fileLinks(),
    clock: systemClock,
    slots: runningSlots(dynamo, env.TABLE_NAME, maxRunningJobs),
    maxRunningJobs,
    workers: env.WORKERS,
    lineCache: new Map(),
  }),
);
