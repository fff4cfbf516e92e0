import { inputLimitsSchema } from '@media-jobs/video/probe';
import { recipes } from '@media-jobs/video/recipes';
import * as z from 'zod';
import { encoderSlowness } from '../../../adapters/dynamodb/encoder-slowness.ts';
import { jobTable } from '../../../adapters/dynamodb/job-table.ts';
import { settingsTable } from '../../../adapters/dynamodb/settings-table.ts';
import { dynamo } from '../../../adapters/runtime/clients/dynamo.ts';
import { s3Client } from '../../../adapters/runtime/clients/s3.ts';
import { readEnv } from '../../../adapters/runtime/env.ts';
import { answerPart, publicRoute, route } from '../../../adapters/runtime/http/route.ts';
import { readablePresets } from '../../../adapters/runtime/presets.ts';
import { readStageSpeeds } from '../../../adapters/runtime/submission.ts';
import { storageProviders, urlRules } from '../../../adapters/runtime/url-rules.ts';
import { workFiles } from '../../../adapters/s3/work-files.ts';
import { systemClock } from '../../../adapters/system/clock.ts';
import { getHealthContract, getOpenapiContract } from '../../../core/api/about.ts';
import { estimateJobContract } from '../../../core/api/estimate-job.ts';
import { buildOpenApiDocument } from '../../../core/api/openapi/document.ts';
import { listRecipesContract } from '../../../core/api/recipes.ts';
import { contracts, webhooks } from '../../../core/api/registry.ts';
import { jsonText } from '../../../core/json-text.ts';
import { pricedWorkersSchema } from '../../../core/pricing/fargate-computer.ts';
import { version } from '../../../core/version.ts';
import { estimateJob } from '../estimate-job.ts';
import { listRecipes } from '../list-recipes.ts';

const env = readEnv(
  z.object({
    TABLE_NAME: z.string(),
    MEDIA_BUCKET: z.string(),
    AWS_ENDPOINT_URL_S3: z.url().optional(),
    PRICED_WORKERS: jsonText(pricedWorkersSchema),
    INPUT_LIMITS: jsonText(inputLimitsSchema),
  }),
);

/** Built once, at the cold start. */
const document = buildOpenApiDocument({ contracts, webhooks });

export const handler = answerPart({
  listRecipes: route(listRecipesContract, listRecipes(recipes)),
  estimateJob: route(
    estimateJobContract,
    estimateJob({
      jobs: jobTable(dynamo, env.TABLE_NAME),
      settings: settingsTable(dynamo, env.TABLE_NAME),
      providers: storageProviders(env.TABLE_NAME),
      readOutput: workFiles(s3Client(env.AWS_ENDPOINT_URL_S3), env.MEDIA_BUCKET).readText,
      urlRules: urlRules(),
      workers: env.PRICED_WORKERS,
      inputLimits: env.INPUT_LIMITS,
      speeds: readStageSpeeds(),
      clock: systemClock,
      presets: readablePresets(),
      slowness: encoderSlowness(dynamo, env.TABLE_NAME, systemClock),
    }),
  ),
  getOpenapi: publicRoute(getOpenapiContract, async () => ({ status: 200, body: document }) as const),
  getHealth: publicRoute(getHealthContract, async () => ({ status: 200, body: { ok: true, version } }) as const),
});
