import { useInfiniteQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useApi } from '../api/api-context.tsx';
import { uniqueJobs } from './loaded-pages.ts';
import { readPage } from './read-page.ts';
import type { JobListSearch } from './search-params.ts';
import { useFeed } from './use-feed.ts';

/** A longer list is not refetched, since that loads every page in turn. The feed tells of new jobs. */
const maxRefetchedPages = 3;

/** The list of jobs, loaded page by page; the feed keeps it up to date. */
export function useJobs(search: JobListSearch) {
  const { client } = useApi();
  const list = useInfiniteQuery({
    queryKey: ['jobs', search],
    queryFn: ({ pageParam, signal }) => readPage(client, search, pageParam, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    staleTime: ({ state: { data } }) =>
      (data?.pages.length ?? 0) > maxRefetchedPages ? Number.POSITIVE_INFINITY : 10_000,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
  const jobs = useMemo(() => uniqueJobs(list.data), [list.data]);
  const feedError = useFeed({ search, data: list.data, hasError: list.isError, refetch: list.refetch });
  return { ...list, jobs, updateError: list.isRefetchError ? list.error : feedError };
}
