import { JobError } from '@media-jobs/video/errors';
import * as z from 'zod';
import { jsonText } from '../../core/json-text.ts';
import { parseReachableAddresses } from '../../core/net/check-url.ts';
import type { StorageProviderTable } from '../../core/storage/provider.ts';
import {
  findBucketObject,
  isS3Url,
  type StageBuckets,
  stageBucketSchema,
  withStageBuckets,
} from '../../core/storage/stage-bucket.ts';
import { parseStorageUrl, type StoredInput } from '../../core/storage/storage-url.ts';
import type { RequestUrlRules } from '../../core/submission/accept-job.ts';
import { storageProviderTable } from '../dynamodb/storage-provider-table.ts';
import { dynamo } from './clients/dynamo.ts';
import { readEnv } from './env.ts';

const urlEnv = z.object({
  WEBHOOK_SCHEMES: z
    .string()
    .transform((list) => list.split(','))
    .pipe(z.array(z.enum(['https', 'http']))),
  REACHABLE_PRIVATE_ADDRESSES: z.string().transform(parseReachableAddresses),
});

/** The URLs that this stage allows as inputs and as webhook targets, and the buckets whose objects are inputs. */
export function urlRules(): RequestUrlRules {
  const { WEBHOOK_SCHEMES, REACHABLE_PRIVATE_ADDRESSES: reachable } = readEnv(urlEnv);
  return {
    input: { schemes: ['https', 'http'], reachable },
    webhook: { schemes: WEBHOOK_SCHEMES, reachable },
    buckets: readStageBuckets(),
  };
}

/** The buckets that the settings of the stage give to owners. */
export function readStageBuckets(): StageBuckets {
  const { BUCKETS: buckets, AWS_REGION: region } = readEnv(
    z.object({ BUCKETS: jsonText(z.array(stageBucketSchema)).default([]), AWS_REGION: z.string().default('') }),
  );
  return { buckets, region };
}

export function storageProviders(tableName: string): StorageProviderTable {
  return withStageBuckets(storageProviderTable(dynamo, tableName), readStageBuckets());
}

/**
 * Finds the object of a storage provider that an input's URL names. Undefined for any other URL. Throws JobError
 * `INPUT_FORBIDDEN` if the settings have taken its bucket from the owner since the request.
 */
export function storedInputs(): (input: { url: string; ownerId: string }) => StoredInput | undefined {
  const stage = readStageBuckets();
  return ({ url, ownerId }) => {
    if (!isS3Url(url)) return parseStorageUrl(url);
    const found = findBucketObject(url, { ...stage, ownerId });
    if (found.rejection !== undefined) throw new JobError('INPUT_FORBIDDEN', found.rejection);
    return found.object;
  };
}
