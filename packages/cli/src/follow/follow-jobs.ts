import type { Client, Sleep } from '@media-jobs/client';
import { ApiError } from '@media-jobs/client';
import type { JobResource } from '@media-jobs/core/api';
import { isTerminalState } from '@media-jobs/core/api';
import { jobProgress, type ProgressView } from '../show/progress-view.ts';
import { type ReadJobs, readJobsById } from './read-jobs.ts';

export type FollowOptions = {
  read: ReadJobs;
  onPoll: (jobs: JobResource[]) => void;
  signal: AbortSignal;
  sleep: Sleep;
};

const firstDelayMs = 250;
/** Workers write progress every four seconds; the end of a job is seen within two. */
const maxDelayMs = 2_000;
/** Two minutes at the longest delay. */
const maxConsecutiveFailures = 60;

/**
 * Polls jobs until all of them are terminal. The feed of events would take as many requests for one job, has no progress, and is
 * two seconds behind. Retryable failures are tolerated for two minutes.
 * @throws ApiError if a job does not exist or the service stays unavailable; the signal's reason if it aborts
 */
export async function followJobs({ read, onPoll, signal, sleep }: FollowOptions): Promise<JobResource[]> {
  let failures = 0;
  for (let poll = 0; ; poll += 1) {
    try {
      const jobs = await read();
      failures = 0;
      onPoll(jobs);
      if (jobs.every(({ state }) => isTerminalState(state))) return jobs;
    } catch (error) {
      failures += 1;
      if (!(error instanceof ApiError) || !error.retryable || failures > maxConsecutiveFailures) throw error;
      signal.throwIfAborted();
    }
    await sleep(Math.min(maxDelayMs, firstDelayMs * 2 ** poll), signal);
  }
}

export type FollowJobOptions = { client: Client; view: ProgressView; signal: AbortSignal; sleep: Sleep };

/** Follows one job, shows its progress and returns the terminal job. Throws like `followJobs`. */
export async function followJob(
  jobId: string,
  { client, view, signal, sleep }: FollowJobOptions,
): Promise<JobResource> {
  const read = readJobsById(client, [jobId]);
  const onPoll = (jobs: JobResource[]) => {
    for (const job of jobs) view.show(jobProgress(job));
  };
  const [job] = await followJobs({ read, onPoll, signal, sleep });
  if (job === undefined) throw new TypeError(`Expected one job for the id ${jobId}, got none`);
  return job;
}
