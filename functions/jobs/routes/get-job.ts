import * as z from 'zod';
import { jobTable } from '../../../adapters/dynamodb/job-table.ts';
import { dynamo } from '../../../adapters/runtime/clients/dynamo.ts';
import { readEnv } from '../../../adapters/runtime/env.ts';
import { route } from '../../../adapters/runtime/http/route.ts';
import { fileLinks } from '../../../adapters/runtime/media-urls.ts';
import { systemClock } from '../../../adapters/system/clock.ts';
import { getJobContract } from '../../../core/api/jobs.ts';
import { getJob } from '../get-job.ts';

const env = readEnv(
  z.object({
    TABLE_NAME: z.string(),
  }),
);

export const handler = route(
  getJobContract,
  getJob({
    jobs: jobTable(dynamo, env.TABLE_NAME),
    files: fileLinks(),
    clock: systemClock,
  }),
);
