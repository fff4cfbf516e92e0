import type { JobRef } from '../jobs/ports.ts';
import type { Publication } from '../jobs/publication.ts';
import type { ObjectStore, OpenObjectStore } from '../storage/object-store.ts';

/** Opens the storage provider of an upload. Each provider of a job is opened once. */
export function publicationStores(
  openObjectStore: OpenObjectStore,
  { ownerId }: Pick<JobRef, 'ownerId'>,
  publication: Pick<Publication, 'storageProviderId'>,
): (upload: { storageProviderId?: string | undefined }) => Promise<ObjectStore> {
  const opened = new Map<string, Promise<ObjectStore>>();
  return ({ storageProviderId = publication.storageProviderId }) => {
    const store = opened.get(storageProviderId) ?? openObjectStore({ ownerId, storageProviderId });
    opened.set(storageProviderId, store);
    return store;
  };
}
