import type { JobResource } from '@media-jobs/core/api';
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo, useRef } from 'react';
import { useApi } from '../api/api-context.tsx';
import { feedKey, isUnfinished, jobQueryKey } from '../job/use-job.ts';
import { type LoadedPages, mergeNewJobs, pageSize, uniqueJobs } from './loaded-pages.ts';
import { readPage } from './read-page.ts';
import { type JobListSearch, toApiFilters } from './search-params.ts';

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

const idleMs = 4_000;
/** Workers write progress every four seconds. */
const busyMs = 2_000;
/** What one request takes. */
const maxEvents = 100;
const maxFollowed = 50;
const maxNewJobs = 100;
/** The list that was just loaded may miss a job for a second. */
const listDelayMs = 2_000;

type LoadedList = {
  search: JobListSearch;
  data: LoadedPages | undefined;
  /** Whether the last page could not be loaded. New data would clear the error, so only new jobs are written then. */
  hasError: boolean;
  refetch: () => unknown;
};

/**
 * Follows the feed of events: one request has the progress of all unfinished jobs whose rows are visible, and tells when a job
 * is new in the list. Only then new jobs are read: without a state filter those created since the newest, else the first
 * page, since jobs enter a state in any order.
 *
 * @returns the error of the last request, null if it succeeded
 */
function useFeed({ search, data, hasError, refetch }: LoadedList): Error | null {
  const { client } = useApi();
  const queries = useQueryClient();
  const first = data?.pages[0];
  const after = useRef<string>(undefined);
  const visibleJobs = () =>
    queries
      .getQueryCache()
      .findAll({ queryKey: ['job'], type: 'active' })
      .flatMap(({ state }) => (state.data as JobResource | undefined) ?? [])
      .filter(isUnfinished);

  const readNewJobs = async (signal: AbortSignal) => {
    const filters = toApiFilters(search);
    const since = search.state === undefined && search.search === undefined ? first?.jobs[0]?.createdAt : undefined;
    const limit = since === undefined ? pageSize : maxNewJobs;
    const query = { limit, ...filters, createdAfter: since ?? filters.createdAfter };
    const { jobs, nextCursor } = await client.listJobs({ query, signal });
    if (nextCursor !== null && since !== undefined) return void refetch();
    queries.setQueryData<LoadedPages>(['jobs', search], (old) => {
      const merged = mergeNewJobs(old, jobs);
      return hasError && merged === old ? undefined : merged;
    });
  };

  const queryKey = [feedKey, search];
  const { error } = useQuery({
    queryKey,
    enabled: first !== undefined,
    refetchInterval: ({ state: { data: events } }) =>
      events === maxEvents || visibleJobs().length > 0 ? busyMs : idleMs,
    queryFn: async ({ signal }) => {
      const jobIds = visibleJobs()
        .map(({ jobId }) => jobId)
        .slice(0, maxFollowed);
      const from = after.current ?? new Date(Date.now() - listDelayMs).toISOString();
      const query = { after: from, limit: maxEvents, ...(jobIds.length > 0 && { jobs: jobIds }) };
      // After a failure the feed is read from then on, since new jobs are read then.
      after.current = undefined;
      const { events, jobs = [], nextCursor } = await client.listEvents({ query, signal });
      const running = jobs.filter(isUnfinished);
      for (const job of running) queries.setQueryData(jobQueryKey(job.jobId), job);
      // A row of an ended job shows its files, and that of a deleted one the error.
      const ended = jobIds.filter((jobId) => !running.some((job) => job.jobId === jobId));
      await Promise.all(ended.map((jobId) => queries.invalidateQueries({ queryKey: jobQueryKey(jobId) })));
      const isBehind = queries.getQueryState(queryKey)?.isInvalidated;
      const hasNew = events.some(({ type }) => type === `job.${search.state ?? 'queued'}`);
      if (search.to === undefined && (isBehind || hasNew)) await readNewJobs(signal);
      after.current = nextCursor;
      return events.length;
    },
  });
  return error;
}
