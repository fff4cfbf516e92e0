import type { InfiniteData } from '@tanstack/react-query';
import type { JobResource } from '../../core/api/job-resource.ts';

/** How many jobs the list asks for at a time. */
export const pageSize = 40;

/** One answer of the list, and when it came. */
export type LoadedPage = { jobs: JobResource[]; nextCursor: string | null; readAt: number };

export type LoadedPages = InfiniteData<LoadedPage>;

export type ListedJob = { job: JobResource; readAt: number };

/** Every job once: a page that was read again may repeat one. */
export function uniqueJobs(data: LoadedPages | undefined): ListedJob[] {
  const byId = new Map<string, ListedJob>();
  for (const { jobs, readAt } of data?.pages ?? []) {
    for (const job of jobs) if (!byId.has(job.jobId)) byId.set(job.jobId, { job, readAt });
  }
  return [...byId.values()];
}

/** The same list with new jobs in their place, newest first; the very same object where there are none. */
export function mergeNewJobs(
  data: LoadedPages | undefined,
  jobs: readonly JobResource[],
): LoadedPages | undefined {
  const [first, ...others] = data?.pages ?? [];
  if (data === undefined || first === undefined) return data;
  const known = new Set(data.pages.flatMap((page) => page.jobs.map(({ jobId }) => jobId)));
  const fresh = jobs.filter(({ jobId }) => !known.has(jobId));
  if (fresh.length === 0) return data;
  return { ...data, pages: [{ ...first, jobs: [...fresh, ...first.jobs].sort(newestFirst) }, ...others] };
}

/** Ids of jobs sort by the moment of their creation. */
function newestFirst(one: JobResource, other: JobResource): number {
  return one.jobId < other.jobId ? 1 : -1;
}
