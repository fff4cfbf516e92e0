import { setTimeout as wait } from 'node:timers/promises';
import type { Client } from '../client/client.ts';
import type { JobRequest } from '../core/api/job-request.ts';
import type { JobResource } from '../core/api/job-resource.ts';
import { isTerminalState } from '../core/jobs/states.ts';
import { noView, progressView } from './progress.ts';

/**
 * Submits a job and follows it to its end, by polling, with a progress bar. `seconds` are those from the request to
 * the terminal record.
 * @throws Error with the job's own error unless it completed
 */
export async function submitAndWatch(
  client: Client,
  body: JobRequest,
  { silent = false } = {},
): Promise<{ job: JobResource; seconds: number }> {
  const startedAt = Date.now();
  const { jobId } = await client.createJob({ body });
  const view = silent ? noView : progressView();
  let job = await client.getJob({ params: { id: jobId } });
  while (!isTerminalState(job.state)) {
    view.show(job);
    await wait(200);
    job = await client.getJob({ params: { id: jobId } });
  }
  view.show(job);
  view.end();
  if (job.state !== 'completed')
    throw new Error(`The job was ${job.state}: ${job.error?.message ?? 'no reason given'}`);
  return { job, seconds: (Date.parse(job.completedAt ?? '') - startedAt) / 1000 };
}
