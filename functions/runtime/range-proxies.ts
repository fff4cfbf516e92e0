import type { BucketAccess } from '../../adapters/s3/read-object.ts';
import { startS3RangeProxy } from '../../adapters/s3/s3-range-proxy.ts';
import { toInputError } from '../../adapters/storage/job-errors.ts';
import type { OpenS3RangeProxy } from '../../core/chunking/ports.ts';
import { inputBuckets } from './object-stores.ts';
import { newId } from './random.ts';

/** Opens proxies for objects of the media bucket, and of storage providers with their credentials. */
export function rangeProxies(media: BucketAccess, tableName: string): OpenS3RangeProxy {
  const openBucket = inputBuckets(tableName);
  return async (objects, { ownerId, signal }) => {
    const located = Object.entries(objects).map(async ([name, { storageProviderId, ...object }]) => {
      if (storageProviderId === undefined) return [name, object] as const;
      const access = await openBucket({ ownerId, storageProviderId });
      return [name, { ...object, access, toError: toInputError }] as const;
    });
    return startS3RangeProxy(media, {
      objects: Object.fromEntries(await Promise.all(located)),
      token: newId(),
      signal,
    });
  };
}
