import { JobError } from '@media-jobs/video/errors';
import { underPrefix } from '../../core/storage/object-key.ts';
import type { OpenObjectStore } from '../../core/storage/object-store.ts';
import type { StorageProvider, StorageProviderRef } from '../../core/storage/provider.ts';
import type { BucketAccess } from '../s3/read-object.ts';
import { objectStore } from '../storage/object-store.ts';
import { withInputErrors, withUploadErrors } from '../storage/provider-error.ts';
import { jobClients } from './job-clients.ts';
import type { OpenClient, OpenedBucket } from './provider-clients.ts';
import { storageProviders } from './url-rules.ts';

/**
 * Opens the buckets of owners.
 *
 * @throws AppError or errors of AWS for failures of the service; the given error if the provider was removed
 */
export function bucketOpener(tableName: string, clientOf: OpenClient) {
  const providers = storageProviders(tableName);
  return async (
    ref: StorageProviderRef,
    removed: () => Error,
  ): Promise<OpenedBucket & { provider: StorageProvider }> => {
    const find = async () => {
      const provider = await providers.get(ref);
      if (provider === undefined) throw removed();
      return provider;
    };
    const provider = await find();
    return { ...clientOf(provider, find), provider };
  };
}

/**
 * Opens the buckets of owners for the input of a job, whose key is below the prefix of the provider. Returns the key in the
 * bucket. Throws JobError `INPUT_UNREACHABLE`.
 */
export function inputBuckets(
  tableName: string,
  clientOf: OpenClient = jobClients(),
): (input: StorageProviderRef & { key: string }) => Promise<BucketAccess & { key: string }> {
  const openBucket = bucketOpener(tableName, clientOf);
  const removed = () => new JobError('INPUT_UNREACHABLE', 'The storage provider of the input was removed');
  return ({ key, ...ref }) =>
    withInputErrors(async () => {
      const { provider, ...access } = await openBucket(ref, removed);
      return { ...access, key: underPrefix(key, provider.prefix) };
    });
}

/** Opens the storage providers of owners for the files of jobs. */
export function objectStores(tableName: string, clientOf: OpenClient): OpenObjectStore {
  const openBucket = bucketOpener(tableName, clientOf);
  const removed = () =>
    new JobError('UPLOAD_ERROR', 'The storage provider of this job was removed.', { retryable: false });
  return async (ref) => {
    const { uploads, ...access } = await withUploadErrors(() => openBucket(ref, removed));
    return { ...objectStore(access, access.provider.prefix), ...uploads };
  };
}
