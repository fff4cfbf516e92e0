import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useApi } from '../api/api-context.tsx';
import { type LoadedPages, mergeNewJobs, pageSize } from './loaded-pages.ts';
import { type JobListSearch, toApiFilters } from './search-params.ts';

const pollMs = 4_000;
const maxNewJobs = 100;

type LoadedList = {
  search: JobListSearch;
  data: LoadedPages | undefined;
  /** Whether the last page could not be loaded. New data would clear the error, so only new jobs are written then. */
  hasError: boolean;
  refetch: () => unknown;
};

/**
 * Polls for new jobs and inserts them into the list; listed jobs are not loaded again. Without a state filter it reads
 * the jobs created since the newest. With one it reads the first page, since jobs enter a state in any order.
 *
 * @returns the error of the last poll, null if it succeeded
 */
export function useNewJobs({ search, data, hasError, refetch }: LoadedList): Error | null {
  const { client } = useApi();
  const queries = useQueryClient();
  const first = data?.pages[0];
  const since = search.state === undefined && search.search === undefined ? first?.jobs[0]?.createdAt : undefined;
  const { error } = useQuery({
    queryKey: ['new-jobs', search],
    // The list was just loaded. With data, an error stays until a poll succeeds.
    initialData: 0,
    enabled: first !== undefined && search.to === undefined,
    refetchInterval: pollMs,
    queryFn: async ({ signal }) => {
      const filters = toApiFilters(search);
      const createdAfter = since ?? filters.createdAfter;
      const limit = since === undefined ? pageSize : maxNewJobs;
      const { jobs, nextCursor } = await client.listJobs({
        query: { limit, ...filters, createdAfter },
        signal,
      });
      if (nextCursor !== null && since !== undefined) refetch();
      else {
        queries.setQueryData<LoadedPages>(['jobs', search], (old) => {
          const merged = mergeNewJobs(old, jobs);
          return hasError && merged === old ? undefined : merged;
        });
      }
      return jobs.length;
    },
  });
  return error;
}
