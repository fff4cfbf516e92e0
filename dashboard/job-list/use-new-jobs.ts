import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useApi } from '../api/api-context.tsx';
import { type LoadedPages, mergeNewJobs, pageSize } from './loaded-pages.ts';
import { type JobListSearch, toApiFilters } from './search-params.ts';

const lookEveryMs = 4_000;
const mostNew = 100;

type List = { search: JobListSearch; data: LoadedPages | undefined; readAgain: () => unknown };

/**
 * Asks for jobs that are not in the list yet and puts them in their place; nothing that is shown is read again. Of all
 * jobs these are the ones made since the newest. A state is entered in any order: of one state it asks for the first page.
 */
export function useNewJobs({ search, data, readAgain }: List): void {
  const { client } = useApi();
  const queries = useQueryClient();
  const first = data?.pages[0];
  const since = search.state === undefined ? first?.jobs[0]?.createdAt : undefined;
  useQuery({
    queryKey: ['new-jobs', search],
    enabled: first !== undefined && search.to === undefined,
    refetchInterval: lookEveryMs,
    queryFn: async ({ signal }) => {
      const filters = { ...toApiFilters(search), ...(since === undefined ? {} : { createdAfter: since }) };
      const limit = since === undefined ? pageSize : mostNew;
      const { jobs, nextCursor } = await client.listJobs({ query: { limit, ...filters }, signal });
      if (nextCursor !== null && since !== undefined) readAgain();
      else queries.setQueryData<LoadedPages>(['jobs', search], (old) => mergeNewJobs(old, jobs));
      return jobs.length;
    },
  });
}
