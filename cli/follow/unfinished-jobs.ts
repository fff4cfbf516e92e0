import { ApiError } from '../../client/api-error.ts';
import type { Client } from '../../client/client.ts';
import type { JobResource } from '../../core/api/job-resource.ts';
import { isTerminalState, type JobState } from '../../core/jobs/states.ts';
import type { ReadJobs } from './follow-jobs.ts';
import { listJobPages } from './job-pages.ts';

/**
 * Reads every job that has not ended, those that come meanwhile too, and with them those that have ended since the
 * first read. A list by state may be a moment old: a job that is missing from it is asked for by name.
 */
export function readUnfinishedJobs(client: Client): ReadJobs {
  const known = new Map<string, JobResource>();
  return async () => {
    const listed = [...(await jobsIn(client, 'queued')), ...(await jobsIn(client, 'processing'))];
    const listedIds = new Set(listed.map(({ jobId }) => jobId));
    const missing = [...known.values()].filter(
      ({ jobId, state }) => !listedIds.has(jobId) && !isTerminalState(state),
    );
    const found = await Promise.all(missing.map(({ jobId }) => jobOrNothing(client, jobId)));
    for (const { jobId } of missing) known.delete(jobId);
    for (const job of [...listed, ...found]) if (job !== undefined) known.set(job.jobId, job);
    return [...known.values()];
  };
}

async function jobsIn(client: Client, state: JobState): Promise<JobResource[]> {
  const jobs: JobResource[] = [];
  for await (const page of listJobPages(client, { state, limit: 100 })) jobs.push(...page.jobs);
  return jobs;
}

/** Undefined for a job that was deleted. */
async function jobOrNothing(client: Client, id: string): Promise<JobResource | undefined> {
  try {
    return await client.getJob({ params: { id } });
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return undefined;
    throw error;
  }
}
