import type { Client } from '../../client/client.ts';
import type { Sleep } from '../../client/upload-retry.ts';
import type { JobResource } from '../../core/api/job-resource.ts';
import { jobProgress, type ProgressView } from '../show/progress-view.ts';
import { followJobs } from './follow-jobs.ts';
import { readJobsById } from './jobs-by-id.ts';

export type FollowJobOptions = { client: Client; view: ProgressView; signal: AbortSignal; pause: Sleep };

/** Follows one job, under the eyes of a view, and returns it as it ended. Throws as `follow` does. */
export async function followJob(
  jobId: string,
  { client, view, signal, pause }: FollowJobOptions,
): Promise<JobResource> {
  const read = readJobsById(client, [jobId]);
  const onRound = (jobs: JobResource[]) => {
    for (const job of jobs) view.show(jobProgress(job));
  };
  const [job] = await followJobs({ read, onRound, signal, pause });
  if (job === undefined) throw new TypeError('Following a job gave none');
  return job;
}
