import type { RouteApp } from '../../adapters/runtime/http/route.ts';
import type { deleteJobContract } from '../../core/api/job-actions.ts';
import { retryConflicts } from '../../core/async.ts';
import { AppError } from '../../core/errors.ts';
import type { Clock, JobRef, JobTable } from '../../core/jobs/ports.ts';
import { isTerminal } from '../../core/jobs/record.ts';
import { storedFilesOf, deleteJob as tombstone } from '../../core/jobs/removal-transitions.ts';
import type { UsageCounters } from '../../core/jobs/usage-counter.ts';
import { findJob } from '../../core/jobs/view.ts';
import { type EndPlaybackDeps, endPlayback } from '../../core/playback/edge-store.ts';
import { countUsage } from '../../core/spending/count-usage.ts';
import type { SpendingCounters } from '../../core/spending/spending-counter.ts';

export type DeleteJobDeps = EndPlaybackDeps & {
  jobs: JobTable;
  usage: UsageCounters;
  spending: SpendingCounters;
  clock: Clock;
  /** Receives the error of a job that was not subtracted from the usage: reconcile does that. */
  onUsageFailure: (ref: JobRef, cause: unknown) => void;
};

/**
 * Replaces an ended job by a tombstone and subtracts its usage. Reconcile then removes its files, delivery attempts and
 * logs.
 */
export function deleteJob(deps: DeleteJobDeps): RouteApp<typeof deleteJobContract> {
  const { jobs, usage, spending, clock, onUsageFailure } = deps;
  return async ({ params, query: { files }, principal: { ownerId } }) => {
    const ref = { ownerId, jobId: params.id };
    // A delivery may write the record between the read and the write.
    const deleted = await retryConflicts(async () => {
      const job = await findJob(jobs, ref);
      if (!isTerminal(job)) {
        throw new AppError(
          'JOB_NOT_TERMINAL',
          `The job is still ${job.state}: cancel it first, or wait until it ends.`,
        );
      }
      // First, so that a failure leaves a job whose deletion can be repeated.
      await endPlayback(deps, ref, clock.now());
      const removed = files === 'true' ? storedFilesOf(job) : undefined;
      const change = tombstone(job, clock.now(), removed);
      return (await jobs.write(change)).written && change.job;
    });
    const counted = countUsage({ jobs, usage, spending, clock }, deleted);
    await counted.catch((cause: unknown) => onUsageFailure(ref, cause));
    return { status: 204 };
  };
}
