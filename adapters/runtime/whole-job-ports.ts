import { availableParallelism } from 'node:os';
import { cpusOf } from '@media-jobs/video/cost-model';
import * as z from 'zod';
import { jsonText } from '../../core/json-text.ts';
import { pricedWorkersSchema } from '../../core/pricing/fargate-computer.ts';
import type { JobPorts, Sources } from '../../core/worker/ports.ts';
import { encoderSlowness } from '../dynamodb/encoder-slowness.ts';
import { spendingCounters } from '../dynamodb/spending-counters.ts';
import { headObject } from '../s3/read-object.ts';
import { withInputErrors } from '../storage/provider-error.ts';
import { systemClock } from '../system/clock.ts';
import { dynamo } from './clients/dynamo.ts';
import { inputFiles } from './input-files.ts';
import { jobClients } from './job-clients.ts';
import { runningJobDeps } from './job-queue.ts';
import { logger } from './logger.ts';
import { inputBuckets, objectStores } from './object-stores.ts';
import { contentKeys } from './stage-ciphers.ts';
import { storedInputs } from './url-rules.ts';
import { workerEnvSchema, workerPorts } from './worker-env.ts';

export const wholeJobEnvSchema = workerEnvSchema.extend({
  /** Time limit of one download, including redirects and resumed connections. */
  DOWNLOAD_TIMEOUT_SECONDS: z.coerce.number().int().min(1),
  /** The most that the disk takes for the inputs of a job. */
  MAX_DOWNLOAD_BYTES: z.coerce.number().int().min(1),
  PRICED_WORKERS: jsonText(pricedWorkersSchema),
  /** Seconds of one of its processors for each second of the calibrated machine. */
  PROCESSOR_SLOWNESS: z.coerce.number().positive(),
});

/** The computer of this worker: its share in processors, those that ffmpeg sees, and its memory if that is limited. */
type Computer = { vcpus: number; cpuCount: number; memoryMb: number | undefined };

/** The computer of a function; outside of Lambda that of this machine. */
export function functionComputer({
  AWS_LAMBDA_FUNCTION_MEMORY_SIZE: memoryMb,
}: Pick<z.output<typeof wholeJobEnvSchema>, 'AWS_LAMBDA_FUNCTION_MEMORY_SIZE'>): Computer {
  const cpuCount = availableParallelism();
  return { vcpus: memoryMb === undefined ? cpuCount : cpusOf(memoryMb, cpuCount), cpuCount, memoryMb };
}

/** The dependencies that transcode and a Fargate task have in common. */
export function wholeJobPorts(env: z.output<typeof wholeJobEnvSchema>, { vcpus, cpuCount, memoryMb }: Computer) {
  const { bucket, ...worker } = workerPorts(env, memoryMb);
  const openBucket = inputBuckets(env.TABLE_NAME);
  const totalMs = env.DOWNLOAD_TIMEOUT_SECONDS * 1000;
  const storedInputOf = storedInputs();
  const findStored: Sources['findStored'] = async ({ ownerId, url }, signal) => {
    const stored = storedInputOf({ ownerId, url });
    if (stored === undefined) return undefined;
    const { key, ...access } = await openBucket({ ownerId, ...stored });
    const { etag, totalBytes: sizeBytes } = await withInputErrors(() => headObject(access, { key }, signal), signal);
    return { ...stored, etag, sizeBytes };
  };
  const onUnexpected: JobPorts['onUnexpected'] = ({ jobId }, cause) =>
    logger.error('Unexpected error while processing the job', { jobId, error: cause });
  return {
    ...worker,
    ...runningJobDeps(),
    bucket,
    sources: { download: inputFiles(bucket, { tableName: env.TABLE_NAME, totalMs }), findStored },
    openObjectStore: objectStores(env.TABLE_NAME, jobClients()),
    contentKeys: contentKeys(),
    money: { ...worker.money, workers: env.PRICED_WORKERS, counters: spendingCounters(dynamo, env.TABLE_NAME) },
    maxDownloadBytes: env.MAX_DOWNLOAD_BYTES,
    fontsDirectory: env.FONTS_PATH,
    memory: memoryMb === undefined ? undefined : { sizeBytes: memoryMb * 2 ** 20, cpuCount },
    limits: env.INPUT_LIMITS,
    processors: { count: vcpus, slowness: env.PROCESSOR_SLOWNESS },
    slowness: encoderSlowness(dynamo, env.TABLE_NAME, systemClock),
    onUnexpected,
  };
}
