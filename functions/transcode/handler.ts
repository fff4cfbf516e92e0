import { availableParallelism } from 'node:os';
import { BatchProcessor, EventType, processPartialResponse } from '@aws-lambda-powertools/batch';
import type { Context, SQSEvent, SQSRecord } from 'aws-lambda';
import * as z from 'zod';
import { hashFile } from '../../adapters/filesystem/hash-file.ts';
import { downloadInput } from '../../adapters/http/download-input.ts';
import { downloadObject, downloadUpload } from '../../adapters/s3/download-upload.ts';
import { headObject } from '../../adapters/s3/read-object.ts';
import { parallelMachine } from '../../adapters/stepfunctions/parallel-machine.ts';
import { asInputError } from '../../adapters/storage/job-errors.ts';
import { chunkSettingsSchema } from '../../core/chunking/settings.ts';
import { cpusOf } from '../../core/cost-model/processors.ts';
import { pricedWorkersSchema } from '../../core/pricing/priced-workers.ts';
import type { StorageProviderRef } from '../../core/storage/provider.ts';
import { parseStorageUrl } from '../../core/storage/storage-url.ts';
import { parseUploadUrl, uploadKey } from '../../core/uploads/upload.ts';
import { stepFunctions } from '../runtime/clients/sfn.ts';
import { readEnv } from '../runtime/env.ts';
import { logFailure, logger, startInvocationLog } from '../runtime/logger.ts';
import { inputBuckets, objectStores } from '../runtime/object-stores.ts';
import { readOwnerLimits } from '../runtime/owner-limits.ts';
import { runningJobDeps } from '../runtime/running-jobs.ts';
import { urlRules } from '../runtime/url-rules.ts';
import { userAgent } from '../runtime/user-agent.ts';
import { fontsEnvSchema, shutdownReserveMs, workerDeps, workerEnvSchema } from '../runtime/worker-env.ts';
import { transcode } from './app.ts';

const env = readEnv(
  workerEnvSchema.extend({
    ...fontsEnvSchema.shape,
    /** Time limit of one download, including redirects and resumed connections. */
    DOWNLOAD_TIMEOUT_SECONDS: z.coerce.number().int().min(1),
    CHUNKING_SETTINGS: z
      .string()
      .transform((text): unknown => JSON.parse(text))
      .pipe(chunkSettingsSchema),
    PARALLEL_STATE_MACHINE_ARN: z.string(),
    PRICED_WORKERS: z
      .string()
      .transform((text): unknown => JSON.parse(text))
      .pipe(pricedWorkersSchema),
    /** Seconds of one of its processors for each second of the calibrated machine. */
    PROCESSOR_SLOWNESS: z.coerce.number().positive(),
    SERVICE_VERSION: z.string(),
    /** The maximum concurrency of the event source mapping. */
    WORKERS: z.coerce.number().int().min(1),
  }),
);
const { reachable } = urlRules().input;

const downloadTimeouts = {
  totalMs: env.DOWNLOAD_TIMEOUT_SECONDS * 1000,
  idleMs: 30_000,
  connectMs: 10_000,
};

const { media, ...worker } = workerDeps(env);
const cpuCount = availableParallelism();
const memoryMb = env.AWS_LAMBDA_FUNCTION_MEMORY_SIZE;

const { maxRunningChunks } = readOwnerLimits();

const openBucket = inputBuckets(env.TABLE_NAME);

type StoredSource = StorageProviderRef & { key: string };

/** Downloads an input from the bucket of its owner. */
async function downloadStored(
  { key, ...ref }: StoredSource,
  request: Omit<Parameters<typeof downloadObject>[1], 'key'>,
): Promise<number> {
  const access = await openBucket(ref);
  return (await asInputError(() => downloadObject(access, { ...request, key }), request.signal)).bytes;
}

const transcodeJob = transcode({
  ...worker,
  openObjectStore: objectStores(env.TABLE_NAME),
  ...runningJobDeps(),
  workers: env.WORKERS,
  turns: { current: { claims: 0 } },
  longTurns: { current: { claims: 0 } },
  onClaimed: ({ ownerId, jobId }) => logger.appendKeys({ ownerId, jobId }),
  download: async ({ ownerId, maxBytes, ...request }) => {
    const upload = parseUploadUrl(request.url);
    const stored = parseStorageUrl(request.url);
    if (stored !== undefined) {
      const bytes = await downloadStored({ ownerId, ...stored }, { ...request, maxBytes });
      return { bytes, sha256: await hashFile(request.path, request.signal) };
    }
    const { bytes } = await (upload === undefined
      ? downloadInput({
          ...request,
          limits: { ...downloadTimeouts, maxBytes },
          reachable,
          userAgent: userAgent(),
        })
      : downloadUpload(media, { ...request, key: uploadKey(ownerId, upload.objectId), maxBytes }));
    return { bytes, sha256: await hashFile(request.path, request.signal) };
  },
  findStored: async ({ key, ...ref }, signal) => {
    const access = await openBucket(ref);
    const { version, totalBytes } = await asInputError(() => headObject(access, { key }, signal), signal);
    return { etag: version, sizeBytes: totalBytes };
  },
  fontsDirectory: env.FONTS_PATH,
  memory: memoryMb === undefined ? undefined : { sizeBytes: memoryMb * 2 ** 20, cpuCount },
  limits: env.INPUT_LIMITS,
  chunking: env.CHUNKING_SETTINGS,
  pricedWorkers: env.PRICED_WORKERS,
  processors: {
    count: memoryMb === undefined ? cpuCount : cpusOf(memoryMb, cpuCount),
    slowness: env.PROCESSOR_SLOWNESS,
  },
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
