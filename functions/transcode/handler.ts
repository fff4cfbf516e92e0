import { availableParallelism } from 'node:os';
import { BatchProcessor, EventType, processPartialResponse } from '@aws-lambda-powertools/batch';
import type { Context, SQSEvent, SQSRecord } from 'aws-lambda';
import * as z from 'zod';
import { downloadInput } from '../../adapters/http/download-input.ts';
import { downloadUpload } from '../../adapters/s3/download-upload.ts';
import { parallelMachine } from '../../adapters/stepfunctions/parallel-machine.ts';
import { chunkSettingsSchema } from '../../core/chunks/settings.ts';
import { readUploadUrl, uploadKey } from '../../core/uploads/upload.ts';
import { stepFunctions } from '../runtime/clients/sfn.ts';
import { endingPorts } from '../runtime/ending-ports.ts';
import { readEnv } from '../runtime/env.ts';
import { beginLog, logger, loggingFailure } from '../runtime/logger.ts';
import { urlRules } from '../runtime/url-rules.ts';
import { userAgent } from '../runtime/user-agent.ts';
import { workerEnvSchema } from '../runtime/worker/worker-env.ts';
import { reserveMs, workerPorts } from '../runtime/worker/worker-ports.ts';
import { transcode } from './app.ts';

const env = readEnv(
  workerEnvSchema.extend({
    /** The directory of the fonts that subtitles are drawn with. */
    FONTS_PATH: z.string(),
    /** Seconds in which an input must have arrived whole, however it drips. */
    DOWNLOAD_SECONDS: z.coerce.number().int().min(1),
    CHUNKS: z
      .string()
      .transform((text): unknown => JSON.parse(text))
      .pipe(chunkSettingsSchema),
    PARALLEL_STATE_MACHINE_ARN: z.string(),
    SERVICE_VERSION: z.string(),
  }),
);
const { reachable } = urlRules().input;

const downloadTimes = {
  totalMs: env.DOWNLOAD_SECONDS * 1000,
  idleMs: 30_000,
  connectMs: 10_000,
};

const { media, ...worker } = workerPorts(env);

const work = transcode({
  ...endingPorts(),
  ...worker,
  download: ({ ownerId, maxBytes, ...request }) => {
    const upload = readUploadUrl(request.url);
    if (upload !== undefined) {
      const key = uploadKey(ownerId, upload.objectId);
      return downloadUpload(media, { ...request, key, maxBytes });
    }
    return downloadInput({
      ...request,
      limits: { ...downloadTimes, maxBytes },
      reachable,
      userAgent: userAgent(),
    });
  },
  fontsDirectory: env.FONTS_PATH,
  limits: env.INPUT_LIMITS,
  chunking: { settings: env.CHUNKS, processors: availableParallelism() },
  parallel: parallelMachine(stepFunctions, env.PARALLEL_STATE_MACHINE_ARN),
  serviceVersion: env.SERVICE_VERSION,
  onUnexpected: ({ jobId }, cause) => logger.error('A job failed inside', { jobId, error: cause }),
});

const messageSchema = z.object({ ownerId: z.string(), jobId: z.string() });
const batch = new BatchProcessor(EventType.SQS);

async function takeJob({ body, messageId }: SQSRecord, context: Context): Promise<void> {
  beginLog(context, { messageId });
  await loggingFailure(async () => {
    const ref = messageSchema.parse(JSON.parse(body));
    const deadline = new Date(Date.now() + context.getRemainingTimeInMillis() - reserveMs);
    beginLog(context, ref);
    logger.info('Job taken');
    logger.info('Job left', { result: await work(ref, deadline) });
  });
}

export const handler = (event: SQSEvent, context: Context) =>
  processPartialResponse(event, (record: SQSRecord) => takeJob(record, context), batch, { context });
