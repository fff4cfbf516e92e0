import * as z from 'zod';
import { settingsTable } from '../../../adapters/dynamodb/settings-table.ts';
import { dynamo } from '../../../adapters/runtime/clients/dynamo.ts';
import { readEnv } from '../../../adapters/runtime/env.ts';
import { route } from '../../../adapters/runtime/http/route.ts';
import { readablePresets } from '../../../adapters/runtime/presets.ts';
import { contentKeys } from '../../../adapters/runtime/stage-ciphers.ts';
import { submissionPorts } from '../../../adapters/runtime/submission.ts';
import { urlRules } from '../../../adapters/runtime/url-rules.ts';
import { createJobContract } from '../../../core/api/create-job.ts';
import { createJob } from '../create-job.ts';

const { TABLE_NAME } = readEnv(z.object({ TABLE_NAME: z.string() }));

export const handler = route(
  createJobContract,
  createJob({
    ...submissionPorts(),
    settings: settingsTable(dynamo, TABLE_NAME),
    urlRules: urlRules(),
    contentKeys: contentKeys(),
    presets: readablePresets(),
  }),
);
