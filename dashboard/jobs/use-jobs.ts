import { useInfiniteQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { Client } from '../../client/client.ts';
import { useApi } from '../api/api-context.tsx';
import { type JobsPage, listed, pageSize } from './jobs-pages.ts';
import { filtersOf, type JobsSearch } from './jobs-search.ts';
import { useNewJobs } from './use-new-jobs.ts';

/** Of a longer list nothing is read again: each page would be, one after the other. New jobs come by themselves. */
const mostPagesAgain = 3;

/** The list of jobs under some filters, page by page as it is scrolled, with jobs that are new put on top. */
export function useJobs(search: JobsSearch) {
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
  const jobs = useMemo(() => listed(list.data), [list.data]);
  useNewJobs({ search, data: list.data, readAgain: list.refetch });
  return { ...list, jobs };
}

async function readPage(
  client: Client,
  search: JobsSearch,
  cursor: string | undefined,
  signal: AbortSignal,
): Promise<JobsPage> {
  const query = { limit: pageSize, ...filtersOf(search), ...(cursor === undefined ? {} : { cursor }) };
  const { jobs, nextCursor } = await client.listJobs({ query, signal });
  return { jobs, nextCursor, readAt: Date.now() };
}
