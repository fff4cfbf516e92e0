import type { StorageProvider, StorageProviderRef, StorageProviderTable } from '../../../core/storage/provider.ts';

/** Owners' storage providers in memory. */
export function memoryStorageProviderTable(): StorageProviderTable {
  const stored = new Map<string, StorageProvider>();
  const keyOf = ({ ownerId, storageProviderId }: StorageProviderRef) => `${ownerId} ${storageProviderId}`;
  return {
    get: async (ref) => stored.get(keyOf(ref)),
    list: async (ownerId) =>
      [...stored.values()]
        .filter((provider) => provider.ownerId === ownerId)
        .sort((a, b) => (a.storageProviderId < b.storageProviderId ? -1 : 1)),
    create: async (provider) => void stored.set(keyOf(provider), provider),
    replace: async (provider, { updatedAt }) => {
      if (stored.get(keyOf(provider))?.updatedAt !== updatedAt) return false;
      stored.set(keyOf(provider), provider);
      return true;
    },
    remove: async (ref) => void stored.delete(keyOf(ref)),
    recordTest: async (tested, test) => {
      const current = stored.get(keyOf(tested));
      if (current?.updatedAt === tested.updatedAt) stored.set(keyOf(tested), { ...current, lastTest: test });
    },
  };
}
