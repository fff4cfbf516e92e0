import * as z from 'zod';
import { spendingAccounts } from '../../adapters/dynamodb/spending-accounts.ts';
import { hashFile } from '../../adapters/filesystem/hash-file.ts';
import { downloadInput } from '../../adapters/http/download-input.ts';
import { downloadObject, downloadUpload } from '../../adapters/s3/download-upload.ts';
import { asInputError } from '../../adapters/storage/job-errors.ts';
import { pricedWorkersSchema } from '../../core/pricing/priced-workers.ts';
import type { StorageProviderRef } from '../../core/storage/provider.ts';
import { parseStorageUrl } from '../../core/storage/storage-url.ts';
import { parseUploadUrl, uploadKey } from '../../core/uploads/upload.ts';
import type { EncodeJobDeps } from '../worker/worker-deps.ts';
import { dynamo } from './clients/dynamo.ts';
import { logger } from './logger.ts';
import { inputBuckets, objectStores } from './object-stores.ts';
import { runningJobDeps } from './running-jobs.ts';
import { contentKeys } from './stage-ciphers.ts';
import { urlRules } from './url-rules.ts';
import { userAgent } from './user-agent.ts';
import { fontsEnvSchema, workerDeps, workerEnvSchema } from './worker-env.ts';

/** The environment of a worker that processes whole jobs. */
export const encodeJobEnvSchema = workerEnvSchema.extend({
  ...fontsEnvSchema.shape,
  /** Time limit of one download, including redirects and resumed connections. */
  DOWNLOAD_TIMEOUT_SECONDS: z.coerce.number().int().min(1),
  PRICED_WORKERS: z
    .string()
    .transform((text): unknown => JSON.parse(text))
    .pipe(pricedWorkersSchema),
  /** Seconds of one of its processors for each second of the calibrated machine. */
  PROCESSOR_SLOWNESS: z.coerce.number().positive(),
});

type StoredSource = StorageProviderRef & { key: string };

/** The computer of this worker: its share in processors, those that ffmpeg sees, and its memory if that is limited. */
type Computer = { vcpus: number; cpuCount: number; memoryMb: number | undefined };

/** What transcode and a Fargate task have in common. */
export function encodeJobDeps(
  env: z.output<typeof encodeJobEnvSchema>,
  { vcpus, cpuCount, memoryMb }: Computer,
) {
  const { media, ...worker } = workerDeps(env, memoryMb);
  const openBucket = inputBuckets(env.TABLE_NAME);
  const { reachable } = urlRules().input;
  const timeouts = { totalMs: env.DOWNLOAD_TIMEOUT_SECONDS * 1000, idleMs: 30_000, connectMs: 10_000 };

  /** Downloads an input from the bucket of its owner. */
  async function downloadStored(
    { key, ...ref }: StoredSource,
    request: Omit<Parameters<typeof downloadObject>[1], 'key'>,
  ): Promise<number> {
    const access = await openBucket(ref);
    return (await asInputError(() => downloadObject(access, { ...request, key }), request.signal)).bytes;
  }

  const download: EncodeJobDeps['download'] = async ({ ownerId, maxBytes, ...request }) => {
    const upload = parseUploadUrl(request.url);
    const stored = parseStorageUrl(request.url);
    if (stored !== undefined) {
      const bytes = await downloadStored({ ownerId, ...stored }, { ...request, maxBytes });
      return { bytes, sha256: await hashFile(request.path, request.signal) };
    }
    const limits = { ...timeouts, maxBytes };
    const { bytes } = await (upload === undefined
      ? downloadInput({ ...request, limits, reachable, userAgent: userAgent() })
      : downloadUpload(media, { ...request, key: uploadKey(ownerId, upload.objectId), maxBytes }));
    return { bytes, sha256: await hashFile(request.path, request.signal) };
  };

  const onUnexpected: EncodeJobDeps['onUnexpected'] = ({ jobId }, cause) =>
    logger.error('Unexpected error while processing the job', { jobId, error: cause });
  return {
    ...worker,
    ...runningJobDeps(),
    openBucket,
    openObjectStore: objectStores(env.TABLE_NAME),
    contentKeys: contentKeys(),
    spending: spendingAccounts(dynamo, env.TABLE_NAME),
    download,
    fontsDirectory: env.FONTS_PATH,
    memory: memoryMb === undefined ? undefined : { sizeBytes: memoryMb * 2 ** 20, cpuCount },
    limits: env.INPUT_LIMITS,
    pricedWorkers: env.PRICED_WORKERS,
    processors: { count: vcpus, slowness: env.PROCESSOR_SLOWNESS },
    onUnexpected,
  };
}
