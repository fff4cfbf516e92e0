import type { JobResource } from '@media-jobs/core/api';
import type { InfiniteData } from '@tanstack/react-query';

export const pageSize = 40;

/** One page of the list; `readAt` is in Unix milliseconds. */
export type LoadedPage = { jobs: JobResource[]; nextCursor: string | null; readAt: number };

export type LoadedPages = InfiniteData<LoadedPage>;

export type ListedJob = { job: JobResource; readAt: number };

/** The jobs of all pages, without duplicates: pages that were loaded at different times may overlap. */
export function uniqueJobs(data: LoadedPages | undefined): ListedJob[] {
  const byId = new Map<string, ListedJob>();
  for (const { jobs, readAt } of data?.pages ?? []) {
    for (const job of jobs) if (!byId.has(job.jobId)) byId.set(job.jobId, { job, readAt });
  }
  return [...byId.values()];
}

/** Inserts new jobs, newest first. Returns `data` itself if there are none. */
export function mergeNewJobs(data: LoadedPages | undefined, jobs: readonly JobResource[]): LoadedPages | undefined {
  const [first, ...others] = data?.pages ?? [];
  if (data === undefined || first === undefined) return data;
  const known = new Set(data.pages.flatMap((page) => page.jobs.map(({ jobId }) => jobId)));
  const added = jobs.filter(({ jobId }) => !known.has(jobId));
  if (added.length === 0) return data;
  return { ...data, pages: [{ ...first, jobs: [...added, ...first.jobs].sort(newestFirst) }, ...others] };
}

/** Job ids (UUIDv7) sort by creation time. */
function newestFirst(one: JobResource, other: JobResource): number {
  return one.jobId < other.jobId ? 1 : -1;
}
