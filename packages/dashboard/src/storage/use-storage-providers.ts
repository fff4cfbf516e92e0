import type { OperationResult } from '@media-jobs/client';
import { useQuery } from '@tanstack/react-query';
import { useApi } from '../api/api-context.tsx';

export type StorageProvider = OperationResult<'getStorageProvider'>;

export const storageProvidersKey = ['storage-providers'];

/** The storage providers of the account, oldest first. */
export function useStorageProviders() {
  const { client } = useApi();
  return useQuery({
    queryKey: storageProvidersKey,
    queryFn: async ({ signal }) => (await client.listStorageProviders({ signal })).storageProviders,
  });
}
