import { AppError } from '../../core/errors.ts';
import { underPrefix } from '../../core/storage/object-key.ts';
import type { OpenWatched } from '../../core/watches/ports.ts';
import { listedObjects } from '../storage/list-objects.ts';
import { bucketOpener } from './object-stores.ts';
import { ownClients } from './provider-clients.ts';

/** Opens the buckets of watches with the permissions of the function, or the credentials of their providers. */
export function watchedBuckets(tableName: string): OpenWatched {
  const openBucket = bucketOpener(tableName, ownClients());
  return async ({ name, ownerId, storageProviderId, bucket, prefix: below }) => {
    const missing = () =>
      new AppError('NOT_FOUND', `The storage provider ${storageProviderId} of the watch ${name} does not exist.`);
    const { provider, ...access } = await openBucket({ ownerId, storageProviderId }, missing);
    const isOfAccount = bucket !== undefined;
    const prefix = isOfAccount ? below : underPrefix(below, provider.prefix);
    return { prefix, providerPrefix: provider.prefix, ...listedObjects(access, { prefix, hasVersions: isOfAccount }) };
  };
}
