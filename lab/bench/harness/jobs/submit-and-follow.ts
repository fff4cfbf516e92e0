import { timedSleep } from '../../../../cli/context/timed-sleep.ts';
import { followJob } from '../../../../cli/follow/follow-jobs.ts';
import { silentProgressView } from '../../../../cli/show/progress-view.ts';
import type { Client } from '../../../../client/client.ts';
import type { JobRequest } from '../../../../core/api/job-request.ts';
import type { JobResource } from '../../../../core/api/job-resource.ts';

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
