import type { Client, OperationRequest, OperationResult } from '@media-jobs/client';
import { ApiError } from '@media-jobs/client';
import type { JobResource } from '@media-jobs/core/api';
import { isTerminalState, type JobState } from '@media-jobs/core/api';

export type ReadJobs = () => Promise<JobResource[]>;

type Cached = { job: JobResource; etag: string | undefined };

/** Reads jobs by id. Sends `If-None-Match` for a known job, and no request for a terminal one. */
export function readJobsById(client: Client, jobIds: readonly string[]): ReadJobs {
  const cache = new Map<string, Cached>();
  const read = async (id: string): Promise<JobResource> => {
    const cached = cache.get(id);
    if (cached !== undefined && isTerminalState(cached.job.state)) return cached.job;
    const headers = { 'if-none-match': cached?.etag };
    const response = await client.send('getJob', { params: { id }, headers });
    if (response.status === 200) {
      cache.set(id, { job: response.body, etag: response.headers.get('etag') ?? undefined });
      return response.body;
    }
    if (cached === undefined) throw new TypeError(`The API answered 304 for job ${id}, which was not read before`);
    return cached.job;
  };
  return () => Promise.all(jobIds.map(read));
}

/**
 * Reads all unfinished jobs, including new ones, and the jobs that have become terminal since the first read. The list
 * by state is eventually consistent, so a job that is missing from it is read by id.
 */
export function readUnfinishedJobs(client: Client): ReadJobs {
  const known = new Map<string, JobResource>();
  return async () => {
    const listed = [...(await jobsInState(client, 'queued')), ...(await jobsInState(client, 'processing'))];
    const listedIds = new Set(listed.map(({ jobId }) => jobId));
    const missing = [...known.values()].filter(({ jobId, state }) => !listedIds.has(jobId) && !isTerminalState(state));
    const found = await Promise.all(missing.map(({ jobId }) => jobIfExists(client, jobId)));
    for (const { jobId } of missing) known.delete(jobId);
    for (const job of [...listed, ...found]) if (job !== undefined) known.set(job.jobId, job);
    return [...known.values()];
  };
}

async function jobsInState(client: Client, state: JobState): Promise<JobResource[]> {
  const jobs: JobResource[] = [];
  for await (const page of listJobPages(client, { state: [state], limit: 100 })) jobs.push(...page.jobs);
  return jobs;
}

/** @returns undefined for a deleted job */
async function jobIfExists(client: Client, id: string): Promise<JobResource | undefined> {
  try {
    return await client.getJob({ params: { id } });
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return undefined;
    throw error;
  }
}

export type JobsQuery = NonNullable<OperationRequest<'listJobs'>['query']>;
type Page = OperationResult<'listJobs'>;

/** Lists jobs page by page, from the cursor of the query to the end. */
export async function* listJobPages(client: Client, query: JobsQuery): AsyncGenerator<Page> {
  let cursor = query.cursor;
  do {
    const page: Page = await client.listJobs({ query: { ...query, cursor } });
    yield page;
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
}
