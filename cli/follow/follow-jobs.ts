import { ApiError } from '../../client/api-error.ts';
import type { Sleep } from '../../client/upload-retry.ts';
import type { JobResource } from '../../core/api/job-resource.ts';
import { isTerminalState } from '../../core/jobs/states.ts';

/** Reads the jobs that are followed, as they are now. */
export type ReadJobs = () => Promise<JobResource[]>;

export type FollowOptions = {
  read: ReadJobs;
  /** Called with every round's jobs. */
  onRound: (jobs: JobResource[]) => void;
  signal: AbortSignal;
  pause: Sleep;
};

const firstPauseMs = 250;
/** Workers say every other second how far they are. */
const longestPauseMs = 2_000;
/** How many rounds in a row may fail, at the longest pause: two minutes. */
const mostFailures = 60;

/**
 * Follows jobs until every one of them has ended. A service or network that is away for a while does not end it.
 * @throws ApiError where a job is gone or the service stays away; the signal's reason where it aborts
 */
export async function followJobs({ read, onRound, signal, pause }: FollowOptions): Promise<JobResource[]> {
  let failures = 0;
  for (let round = 0; ; round += 1) {
    try {
      const jobs = await read();
      failures = 0;
      onRound(jobs);
      if (jobs.every(({ state }) => isTerminalState(state))) return jobs;
    } catch (error) {
      failures += 1;
      if (!(error instanceof ApiError) || !error.retryable || failures > mostFailures) throw error;
      signal.throwIfAborted();
    }
    await pause(Math.min(longestPauseMs, firstPauseMs * 2 ** round), signal);
  }
}
