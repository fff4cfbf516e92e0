import * as z from 'zod';
import { jobTable } from '../../../adapters/dynamodb/job-table.ts';
import { metadataIndex } from '../../../adapters/dynamodb/metadata-index.ts';
import { runningSlots } from '../../../adapters/dynamodb/running-slots.ts';
import { dynamo } from '../../../adapters/runtime/clients/dynamo.ts';
import { readEnv } from '../../../adapters/runtime/env.ts';
import { route } from '../../../adapters/runtime/http/route.ts';
import { fileLinks } from '../../../adapters/runtime/media-urls.ts';
import { readOwnerLimits } from '../../../adapters/runtime/owner-limits.ts';
import { systemClock } from '../../../adapters/system/clock.ts';
import { listJobsContract } from '../../../core/api/jobs.ts';
import { listJobs } from '../list-jobs.ts';

const env = readEnv(z.object({ TABLE_NAME: z.string() }));

export const handler = route(
  listJobsContract,
  listJobs({
    jobs: jobTable(dynamo, env.TABLE_NAME),
    slots: runningSlots(dynamo, env.TABLE_NAME, readOwnerLimits().maxRunningJobs),
    metadataIndex: metadataIndex(dynamo, env.TABLE_NAME),
    files: fileLinks(),
    clock: systemClock,
  }),
);
