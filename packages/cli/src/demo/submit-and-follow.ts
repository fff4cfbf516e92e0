import type { Client } from '@media-jobs/client';
import type { JobRequest, JobResource } from '@media-jobs/core/api';
import { timedSleep } from '../context/timed-sleep.ts';
import { followJob } from '../follow/follow-jobs.ts';
import { silentProgressView } from '../show/progress-view.ts';

/**
 * Submits a job and follows it until it completes.
 * @returns the job, and the seconds from the request to the terminal record
 * @throws Error with the error of the job unless it completes
 */
export async function submitAndFollow(
  client: Client,
  body: JobRequest,
  view = silentProgressView,
): Promise<{ job: JobResource; seconds: number }> {
  const startedAtMs = Date.now();
  const { jobId } = await client.createJob({ body });
  const { signal } = new AbortController();
  const job = await followJob(jobId, { client, view, signal, sleep: timedSleep }).finally(view.end);
  if (job.state !== 'completed') {
    throw new Error(`The job was ${job.state}: ${job.error?.message ?? 'no reason given'}`);
  }
  return { job, seconds: (Date.parse(job.completedAt ?? '') - startedAtMs) / 1000 };
}
