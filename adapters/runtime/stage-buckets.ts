import { JobError } from '@media-jobs/video/errors';
import type { StorageProviderTable } from '../../core/storage/provider.ts';
import { findBucketObject, isS3Url, withStageBuckets } from '../../core/storage/stage-bucket.ts';
import { parseStorageUrl, type StoredInput } from '../../core/storage/storage-url.ts';
import { storageProviderTable } from '../dynamodb/storage-provider-table.ts';
import { dynamo } from './clients/dynamo.ts';
import { readStageBuckets } from './url-rules.ts';

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
