import { JobError } from '@media-jobs/video/errors';
import type { AwsCredentialIdentity } from '@smithy/types';
import { underPrefix } from '../../core/storage/object-key.ts';
import type { OpenObjectStore } from '../../core/storage/object-store.ts';
import type { StorageProvider, StorageProviderRef } from '../../core/storage/provider.ts';
import type { BucketAccess } from '../s3/read-object.ts';
import { withInputErrors, withUploadErrors } from '../storage/job-errors.ts';
import { objectStore } from '../storage/object-store.ts';
import { providerAccess, providerClients } from './open-provider.ts';
import { storageProviders } from './url-rules.ts';

/** The SDK renews credentials five minutes before they expire: these are read again after a minute. */
const credentialLifetimeMs = 6 * 60_000;

/**
 * Opens the buckets of owners. The credentials are read again each minute, so that a worker uses a rotated secret.
 *
 * @throws AppError or errors of AWS for failures of the service; the given error if the provider was removed
 */
export function bucketOpener(tableName: string) {
  const providers = storageProviders(tableName);
  const accessOf = providerAccess();
  const clientOf = providerClients();
  return async (
    ref: StorageProviderRef,
    removed: () => Error,
  ): Promise<BucketAccess & { provider: StorageProvider }> => {
    const find = async () => {
      const provider = await providers.get(ref);
      if (provider === undefined) throw removed();
      return provider;
    };
    const provider = await find();
    let first: StorageProvider | undefined = provider;
    const credentials = async (): Promise<AwsCredentialIdentity> => {
      const current = first ?? (await find());
      first = undefined;
      const { signIn } = await accessOf(current);
      const identity = await signIn();
      return { ...identity, expiration: new Date(Date.now() + credentialLifetimeMs) };
    };
    return { ...clientOf(provider, credentials), provider };
  };
}

/**
 * Opens the buckets of owners for the input of a job, whose key is below the prefix of the provider. Returns the key in the
 * bucket. Throws JobError `INPUT_UNREACHABLE`.
 */
export function inputBuckets(
  tableName: string,
): (input: StorageProviderRef & { key: string }) => Promise<BucketAccess & { key: string }> {
  const openBucket = bucketOpener(tableName);
  const removed = () => new JobError('INPUT_UNREACHABLE', 'The storage provider of the input was removed');
  return ({ key, ...ref }) =>
    withInputErrors(async () => {
      const { provider, ...access } = await openBucket(ref, removed);
      return { ...access, key: underPrefix(key, provider.prefix) };
    });
}

export function objectStores(tableName: string): OpenObjectStore {
  const openBucket = bucketOpener(tableName);
  return async (ref) => {
    const access = await withUploadErrors(() => openBucket(ref, removedError));
    return objectStore(access, access.provider.prefix);
  };
}

function removedError(): JobError {
  return new JobError('UPLOAD_ERROR', 'The storage provider of this job was removed.', { retryable: false });
}
