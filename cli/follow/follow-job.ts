import type { Client } from '../../client/client.ts';
import type { Pause } from '../../client/pause.ts';
import type { JobResource } from '../../core/api/job-resource.ts';
import { jobProgress, type ProgressView } from '../show/progress-view.ts';
import { follow } from './follow.ts';
import { namedJobs } from './named-jobs.ts';

export type FollowJob = { client: Client; view: ProgressView; signal: AbortSignal; pause: Pause };

/** Follows one job, under the eyes of a view, and returns it as it ended. Throws as `follow` does. */
export async function followJob(
  jobId: string,
  { client, view, signal, pause }: FollowJob,
): Promise<JobResource> {
  const read = namedJobs(client, [jobId]);
  const onRound = (jobs: JobResource[]) => {
    for (const job of jobs) view.show(jobProgress(job));
  };
  const [job] = await follow({ read, onRound, signal, pause });
  if (job === undefined) throw new TypeError('Following a job gave none');
  return job;
}
