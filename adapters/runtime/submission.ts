import * as z from 'zod';
import { jsonText } from '../../core/json-text.ts';
import { type StageSpeeds, stageSpeedsSchema } from '../../core/submission/accept-job.ts';
import { idempotencyTable } from '../dynamodb/idempotency-table.ts';
import { metadataIndex } from '../dynamodb/metadata-index.ts';
import { runningLimit } from '../dynamodb/running-limit.ts';
import { settingsTable } from '../dynamodb/settings-table.ts';
import { spendingCounters } from '../dynamodb/spending-counters.ts';
import { transcodeQueue } from '../sqs/queues.ts';
import { newJobId, randomBytes, systemClock } from '../system/clock.ts';
import { dynamo } from './clients/dynamo.ts';
import { sqs } from './clients/sqs.ts';
import { readEnv, readOwnerLimits } from './env.ts';
import { logUnsentMessage } from './logger.ts';
import { meteredJobTable } from './metrics.ts';
import { readablePresets } from './presets.ts';
import { contentKeys } from './stage-ciphers.ts';
import { storageProviders, urlRules } from './url-rules.ts';

const submissionEnv = z.object({
  TABLE_NAME: z.string(),
  TRANSCODE_QUEUE_URL: z.url(),
  MINUTE_USD: z.coerce.number().positive(),
});

/** The ports of a route that submits a job, a new one or a retry, from the environment of its function. */
export function submissionPorts() {
  const { TABLE_NAME, TRANSCODE_QUEUE_URL, MINUTE_USD: minuteUsd } = readEnv(submissionEnv);
  const limits = readOwnerLimits();
  return {
    jobs: meteredJobTable(TABLE_NAME),
    running: runningLimit(dynamo, TABLE_NAME, limits.maxRunningJobs),
    providers: storageProviders(TABLE_NAME),
    metadataIndex: metadataIndex(dynamo, TABLE_NAME),
    reservations: idempotencyTable(dynamo, TABLE_NAME),
    spending: spendingCounters(dynamo, TABLE_NAME),
    minuteUsd,
    queue: transcodeQueue(sqs, TRANSCODE_QUEUE_URL),
    onSendFailed: logUnsentMessage,
    clock: systemClock,
    newJobId,
    randomBytes,
    limits,
    speeds: readStageSpeeds(),
  };
}

/** What the stage says on the speed of jobs. */
export function readStageSpeeds(): StageSpeeds {
  return readEnv(z.object({ STAGE_SPEEDS: jsonText(stageSpeedsSchema) })).STAGE_SPEEDS;
}

/** The ports of whatever makes new jobs, from the environment of its function. */
export function acceptJobPorts() {
  const { TABLE_NAME } = readEnv(z.object({ TABLE_NAME: z.string() }));
  return {
    ...submissionPorts(),
    settings: settingsTable(dynamo, TABLE_NAME),
    urlRules: urlRules(),
    contentKeys: contentKeys(),
    presets: readablePresets(),
  };
}
