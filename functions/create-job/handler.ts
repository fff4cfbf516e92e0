import * as z from 'zod';
import { idempotencyTable } from '../../adapters/dynamodb/idempotency-table.ts';
import { runningSlots } from '../../adapters/dynamodb/running-slots.ts';
import { settingsTable } from '../../adapters/dynamodb/settings-table.ts';
import { spendingCounters } from '../../adapters/dynamodb/spending-counters.ts';
import { storageProviderTable } from '../../adapters/dynamodb/storage-provider-table.ts';
import { dynamo } from '../../adapters/runtime/clients/dynamo.ts';
import { sqs } from '../../adapters/runtime/clients/sqs.ts';
import { readEnv } from '../../adapters/runtime/env.ts';
import { answerRoutes } from '../../adapters/runtime/http/answer-routes.ts';
import { route } from '../../adapters/runtime/http/route.ts';
import { logUnsentMessage } from '../../adapters/runtime/logger.ts';
import { meteredJobTable } from '../../adapters/runtime/metrics.ts';
import { readOwnerLimits } from '../../adapters/runtime/owner-limits.ts';
import { newJobId, randomBytes } from '../../adapters/runtime/random.ts';
import { contentKeys } from '../../adapters/runtime/stage-ciphers.ts';
import { urlRules } from '../../adapters/runtime/url-rules.ts';
import { transcodeQueue } from '../../adapters/sqs/transcode-queue.ts';
import { systemClock } from '../../adapters/system/clock.ts';
import { createJobContract } from '../../core/api/create-job.ts';
import { createJob } from './app.ts';

const env = readEnv(
  z.object({
    TABLE_NAME: z.string(),
    TRANSCODE_QUEUE_URL: z.url(),
    MINUTE_USD: z.coerce.number().positive(),
  }),
);

const limits = readOwnerLimits();

export const handler = answerRoutes<'create-job'>({
  createJob: route(
    createJobContract,
    createJob({
      jobs: meteredJobTable(env.TABLE_NAME),
      slots: runningSlots(dynamo, env.TABLE_NAME, limits.maxRunningJobs),
      settings: settingsTable(dynamo, env.TABLE_NAME),
      providers: storageProviderTable(dynamo, env.TABLE_NAME),
      reservations: idempotencyTable(dynamo, env.TABLE_NAME),
      spending: spendingCounters(dynamo, env.TABLE_NAME),
      minuteUsd: env.MINUTE_USD,
      queue: transcodeQueue(sqs, env.TRANSCODE_QUEUE_URL),
      onSendFailed: logUnsentMessage,
      clock: systemClock,
      newJobId,
      randomBytes,
      limits,
      urlRules: urlRules(),
      contentKeys: contentKeys(),
    }),
  ),
});
