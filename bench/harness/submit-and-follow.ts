import { timedPause } from '../../cli/context/timed-pause.ts';
import { followJob } from '../../cli/follow/follow-job.ts';
import { silentProgressView } from '../../cli/show/progress-view.ts';
import type { Client } from '../../client/client.ts';
import type { JobRequest } from '../../core/api/job-request.ts';
import type { JobResource } from '../../core/api/job-resource.ts';

/**
 * Submits a job and follows it to its end, under the eyes of a view. `seconds` are those from the request to the
 * terminal record.
 * @throws Error with the job's own error unless it completed
 */
export async function submitAndFollow(
  client: Client,
  body: JobRequest,
  view = silentProgressView,
): Promise<{ job: JobResource; seconds: number }> {
  const startedAt = Date.now();
  const { jobId } = await client.createJob({ body });
  const { signal } = new AbortController();
  const job = await followJob(jobId, { client, view, signal, pause: timedPause }).finally(view.end);
  if (job.state !== 'completed')
    throw new Error(`The job was ${job.state}: ${job.error?.message ?? 'no reason given'}`);
  return { job, seconds: (Date.parse(job.completedAt ?? '') - startedAt) / 1000 };
}
