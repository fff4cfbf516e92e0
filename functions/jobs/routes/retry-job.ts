import * as z from 'zod';
import { idempotencyTable } from '../../../adapters/dynamodb/idempotency-table.ts';
import { runningSlots } from '../../../adapters/dynamodb/running-slots.ts';
import { spendingCounters } from '../../../adapters/dynamodb/spending-counters.ts';
import { storageProviderTable } from '../../../adapters/dynamodb/storage-provider-table.ts';
import { dynamo } from '../../../adapters/runtime/clients/dynamo.ts';
import { sqs } from '../../../adapters/runtime/clients/sqs.ts';
import { readEnv } from '../../../adapters/runtime/env.ts';
import { route } from '../../../adapters/runtime/http/route.ts';
import { logUnsentMessage } from '../../../adapters/runtime/logger.ts';
import { meteredJobTable } from '../../../adapters/runtime/metrics.ts';
import { readOwnerLimits } from '../../../adapters/runtime/owner-limits.ts';
import { newJobId, randomBytes } from '../../../adapters/runtime/random.ts';
import { transcodeQueue } from '../../../adapters/sqs/transcode-queue.ts';
import { systemClock } from '../../../adapters/system/clock.ts';
import { retryJobContract } from '../../../core/api/job-actions.ts';
import { retryJob } from '../retry-job.ts';

const env = readEnv(
  z.object({
    TABLE_NAME: z.string(),
    TRANSCODE_QUEUE_URL: z.url(),
    MINUTE_USD: z.coerce.number().positive(),
  }),
);

const limits = readOwnerLimits();

export const handler = route(
  retryJobContract,
  retryJob({
    jobs: meteredJobTable(env.TABLE_NAME),
    slots: runningSlots(dynamo, env.TABLE_NAME, limits.maxRunningJobs),
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
  }),
);
