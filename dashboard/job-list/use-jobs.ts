import { useInfiniteQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { Client } from '../../client/client.ts';
import { useApi } from '../api/api-context.tsx';
import { type LoadedPage, pageSize, uniqueJobs } from './loaded-pages.ts';
import { type JobListSearch, toApiFilters } from './search-params.ts';
import { useNewJobs } from './use-new-jobs.ts';

/** Of a longer list nothing is read again: each page would be, one after the other. New jobs come by themselves. */
const mostPagesAgain = 3;

/** The list of jobs under some filters, page by page as it is scrolled, with jobs that are new put on top. */
export function useJobs(search: JobListSearch) {
  const { client } = useApi();
  const list = useInfiniteQuery({
    queryKey: ['jobs', search],
    queryFn: ({ pageParam, signal }) => readPage(client, search, pageParam, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    staleTime: ({ state: { data } }) =>
      (data?.pages.length ?? 0) > mostPagesAgain ? Number.POSITIVE_INFINITY : 10_000,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
  const jobs = useMemo(() => uniqueJobs(list.data), [list.data]);
  useNewJobs({ search, data: list.data, readAgain: list.refetch });
  return { ...list, jobs };
}

async function readPage(
  client: Client,
  search: JobListSearch,
  cursor: string | undefined,
  signal: AbortSignal,
): Promise<LoadedPage> {
  const query = { limit: pageSize, ...toApiFilters(search), ...(cursor === undefined ? {} : { cursor }) };
  const { jobs, nextCursor } = await client.listJobs({ query, signal });
  return { jobs, nextCursor, readAt: Date.now() };
}
