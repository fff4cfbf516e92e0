import * as z from 'zod';
import { settingsTable } from '../../adapters/dynamodb/settings-table.ts';
import { createJobContract } from '../../core/api/create-job.ts';
import { dynamo } from '../runtime/clients/dynamo.ts';
import { readEnv } from '../runtime/env.ts';
import { route } from '../runtime/http/route.ts';
import { contentKeys } from '../runtime/stage-ciphers.ts';
import { submitJobDeps } from '../runtime/submit-job-deps.ts';
import { urlRules } from '../runtime/url-rules.ts';
import { createJob } from './app/create-job.ts';

const { TABLE_NAME } = readEnv(z.object({ TABLE_NAME: z.string() }));

export const handler = route(
  createJobContract,
  createJob({
    ...submitJobDeps(),
    settings: settingsTable(dynamo, TABLE_NAME),
    urlRules: urlRules(),
    contentKeys: contentKeys(),
  }),
);
