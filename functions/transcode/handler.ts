import { availableParallelism } from 'node:os';
import { BatchProcessor, EventType, processPartialResponse } from '@aws-lambda-powertools/batch';
import type { Context, SQSEvent, SQSRecord } from 'aws-lambda';
import * as z from 'zod';
import { downloadInput } from '../../adapters/http/download-input.ts';
import { downloadUpload } from '../../adapters/s3/download-upload.ts';
import { parallelMachine } from '../../adapters/stepfunctions/parallel-machine.ts';
import { chunkSettingsSchema } from '../../core/chunking/settings.ts';
import { parseUploadUrl, uploadKey } from '../../core/uploads/upload.ts';
import { stepFunctions } from '../runtime/clients/sfn.ts';
import { readEnv } from '../runtime/env.ts';
import { logFailure, logger, startInvocationLog } from '../runtime/logger.ts';
import { readOwnerLimits } from '../runtime/owner-limits.ts';
import { runningJobDeps } from '../runtime/running-jobs.ts';
import { urlRules } from '../runtime/url-rules.ts';
import { userAgent } from '../runtime/user-agent.ts';
import { shutdownReserveMs, workerDeps, workerEnvSchema } from '../runtime/worker-deps.ts';
import { transcode } from './app.ts';

const env = readEnv(
  workerEnvSchema.extend({
    /** Directory of the fonts for drawn text. */
    FONTS_PATH: z.string(),
    /** Time limit of one download, including redirects and resumed connections. */
    DOWNLOAD_TIMEOUT_SECONDS: z.coerce.number().int().min(1),
    CHUNKING_SETTINGS: z
      .string()
      .transform((text): unknown => JSON.parse(text))
      .pipe(chunkSettingsSchema),
    PARALLEL_STATE_MACHINE_ARN: z.string(),
    SERVICE_VERSION: z.string(),
  }),
);
const { reachable } = urlRules().input;

const downloadTimeouts = {
  totalMs: env.DOWNLOAD_TIMEOUT_SECONDS * 1000,
  idleMs: 30_000,
  connectMs: 10_000,
};

const { media, ...worker } = workerDeps(env);

const { maxRunningChunks } = readOwnerLimits();

const transcodeJob = transcode({
  ...worker,
  ...runningJobDeps(),
  turns: { current: { claims: 0 } },
  onClaimed: ({ ownerId, jobId }) => logger.appendKeys({ ownerId, jobId }),
  download: ({ ownerId, maxBytes, ...request }) => {
    const upload = parseUploadUrl(request.url);
    if (upload !== undefined) {
      const key = uploadKey(ownerId, upload.objectId);
      return downloadUpload(media, { ...request, key, maxBytes });
    }
    return downloadInput({
      ...request,
      limits: { ...downloadTimeouts, maxBytes },
      reachable,
      userAgent: userAgent(),
    });
  },
  fontsDirectory: env.FONTS_PATH,
  limits: env.INPUT_LIMITS,
  chunking: { settings: env.CHUNKING_SETTINGS, cpuCount: availableParallelism() },
  parallel: parallelMachine(stepFunctions, env.PARALLEL_STATE_MACHINE_ARN),
  maxRunningChunks,
  serviceVersion: env.SERVICE_VERSION,
  onUnexpected: ({ jobId }, cause) =>
    logger.error('Unexpected error while processing the job', { jobId, error: cause }),
});

const messageSchema = z.object({ ownerId: z.string(), jobId: z.string() });
const batch = new BatchProcessor(EventType.SQS);

async function processMessage({ body, messageId }: SQSRecord, context: Context): Promise<void> {
  startInvocationLog(context, { messageId });
  await logFailure(async () => {
    const ref = messageSchema.parse(JSON.parse(body));
    const deadline = new Date(Date.now() + context.getRemainingTimeInMillis() - shutdownReserveMs);
    startInvocationLog(context, ref);
    logger.info('Job received');
    logger.info('Job processed', { result: await transcodeJob(ref, deadline) });
  });
}

export const handler = (event: SQSEvent, context: Context) =>
  processPartialResponse(event, (record: SQSRecord) => processMessage(record, context), batch, { context });
