import { type InfiniteData, useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { Client } from '../../client/client.ts';
import type { JobResource } from '../../core/api/job-resource.ts';
import { useApi } from '../api/api-context.tsx';
import { filtersOf, type JobsSearch } from './jobs-search.ts';

const pageSize = 50;
const lookForNewMs = 4_000;
const mostNew = 100;

type Page = { jobs: JobResource[]; nextCursor: string | null; readAt: number };
export type ListedJob = { job: JobResource; readAt: number };

/** The list of jobs under some filters, page by page as it is scrolled, with jobs that are new put on top. */
export function useJobs(search: JobsSearch) {
  const { client } = useApi();
  const list = useInfiniteQuery({
    queryKey: ['jobs', search],
    queryFn: ({ pageParam, signal }) => readPage(client, search, pageParam, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    staleTime: 10_000,
  });
  const jobs = useMemo(() => listed(list.data), [list.data]);
  useNewJobs(search, list.data, list.refetch);
  return { ...list, jobs };
}

async function readPage(
  client: Client,
  search: JobsSearch,
  cursor: string | undefined,
  signal: AbortSignal,
): Promise<Page> {
  const query = { limit: pageSize, ...filtersOf(search), ...(cursor === undefined ? {} : { cursor }) };
  const { jobs, nextCursor } = await client.listJobs({ query, signal });
  return { jobs, nextCursor, readAt: Date.now() };
}

/** Every job once: a page that was read again may repeat one. */
function listed(data: InfiniteData<Page> | undefined): ListedJob[] {
  const byId = new Map<string, ListedJob>();
  for (const { jobs, readAt } of data?.pages ?? []) {
    for (const job of jobs) if (!byId.has(job.jobId)) byId.set(job.jobId, { job, readAt });
  }
  return [...byId.values()];
}

/** Asks for jobs made since the newest one and puts them on top; nothing that is shown is read again. */
function useNewJobs(
  search: JobsSearch,
  data: InfiniteData<Page> | undefined,
  readAgain: () => unknown,
): void {
  const { client } = useApi();
  const queries = useQueryClient();
  const first = data?.pages[0];
  const since = first?.jobs[0]?.createdAt;
  useQuery({
    queryKey: ['new-jobs', search],
    enabled: first !== undefined && search.to === undefined,
    refetchInterval: lookForNewMs,
    queryFn: async ({ signal }) => {
      const filters = { ...filtersOf(search), ...(since === undefined ? {} : { createdAfter: since }) };
      const { jobs, nextCursor } = await client.listJobs({ query: { limit: mostNew, ...filters }, signal });
      if (nextCursor !== null && since !== undefined) readAgain();
      else queries.setQueryData<InfiniteData<Page>>(['jobs', search], (old) => withNew(old, jobs));
      return jobs.length;
    },
  });
}

/** The same list with new jobs on top; the very same object where there are none. */
export function withNew(
  data: InfiniteData<Page> | undefined,
  jobs: readonly JobResource[],
): InfiniteData<Page> | undefined {
  const [first, ...others] = data?.pages ?? [];
  if (data === undefined || first === undefined) return data;
  const known = new Set(data.pages.flatMap((page) => page.jobs.map(({ jobId }) => jobId)));
  const fresh = jobs.filter(({ jobId }) => !known.has(jobId));
  if (fresh.length === 0) return data;
  return { ...data, pages: [{ ...first, jobs: [...fresh, ...first.jobs] }, ...others] };
}
