import type { Client } from '@media-jobs/client';
import { type QueryKey, type UseQueryOptions, useQuery } from '@tanstack/react-query';
import { useApi } from './api-context.tsx';

type Options<Result> = Omit<UseQueryOptions<Result>, 'queryKey' | 'queryFn' | 'initialData'> & {
  key: QueryKey;
  read: (client: Client, signal: AbortSignal) => Promise<Result>;
};

/** Reads from the API, once for all components that ask by the same key. */
export function useRead<Result>({ key, read, ...options }: Options<Result>) {
  const { client } = useApi();
  return useQuery<Result>({ ...options, queryKey: key, queryFn: ({ signal }) => read(client, signal) });
}
