import type { OperationResult } from '@media-jobs/client';
import { useRead } from '../api/use-read.ts';

export type StorageProvider = OperationResult<'getStorageProvider'>;

export const storageProvidersKey = ['storage-providers'];

/** The storage providers of the account, oldest first. */
export function useStorageProviders() {
  return useRead({
    key: storageProvidersKey,
    read: async (client, signal) => (await client.listStorageProviders({ signal })).storageProviders,
  });
}
