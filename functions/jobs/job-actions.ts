import type { RouteApp } from '../../adapters/runtime/http/route.ts';
import type { cancelJobContract, deleteJobContract, retryJobContract } from '../../core/api/job-actions.ts';
import { retryConflicts } from '../../core/async.ts';
import { AppError } from '../../core/errors.ts';
import { stepsForRetry } from '../../core/jobs/kept-files.ts';
import type { Clock, JobRef, JobTable } from '../../core/jobs/ports.ts';
import { isTerminal, type Job } from '../../core/jobs/record.ts';
import { storedFilesOf, deleteJob as tombstone } from '../../core/jobs/removal-transitions.ts';
import type { UsageCounters } from '../../core/jobs/usage-counter.ts';
import { findJob, viewChangedJob } from '../../core/jobs/view.ts';
import { type EndPlaybackDeps, endPlayback } from '../../core/playback/edge-store.ts';
import { countUsage } from '../../core/spending/count-usage.ts';
import type { SpendingCounters } from '../../core/spending/spending-counter.ts';
import { type AcceptJobDeps, assertPool, repeatSpeed } from '../../core/submission/accept-job.ts';
import { repeatDestination } from '../../core/submission/choose-destination.ts';
import { findAcceptedJob, type SubmitJobDeps, submitJob } from '../../core/submission/submit-job.ts';
import { type CancelJobDeps, cancelUnfinished } from '../../core/termination/terminate-job.ts';

export type RetryJobDeps = SubmitJobDeps & Pick<AcceptJobDeps, 'providers' | 'speeds'>;

const retryable = ['failed', 'rejected', 'cancelled'];

/** Submits a new job with the request and the destination of a failed, rejected or cancelled one. */
export function retryJob(deps: RetryJobDeps): RouteApp<typeof retryJobContract> {
  return async ({ params, headers, principal }) => {
    const retryOf = params.id;
    const keyed = {
      principal,
      idempotencyKey: headers['idempotency-key'],
      // No body of POST /api/v1/jobs equals it, so a key of a new job cannot be reused for a retry.
      keyedBody: { retryOf },
    };
    const ref = { ownerId: principal.ownerId, jobId: retryOf };
    const job = await findRetryableJob(deps, ref).catch(async (rejection: unknown) => {
      // The new job has the same request and destination.
      const accepted = await findAcceptedJob(deps, keyed);
      if (accepted === undefined || accepted.state === 'deleted') throw rejection;
      return accepted;
    });
    const retried = await submitJob(deps, {
      ...keyed,
      request: repeatSpeed(job.request, deps.clock.now()),
      preset: job.preset,
      authorKeyId: job.authorKeyId,
      retryOf,
      destination: job.destination,
      unpublished: job.state === 'failed' ? job.unpublished : undefined,
      completedSteps: stepsForRetry(job, deps.clock.now()),
      // Encrypted for the first job. Its id goes along, so this function needs no access to the key.
      contentKeyOf: async () => ('contentKey' in job ? job.contentKey : undefined),
    });
    return { ...retried.response, body: viewChangedJob(retried.job, principal) };
  };
}

/** @throws AppError NOT_FOUND, JOB_NOT_RETRYABLE, or VALIDATION_ERROR for a storage provider or a pool that no longer exists */
async function findRetryableJob(deps: RetryJobDeps, ref: JobRef): Promise<Job> {
  const job = await findJob(deps.jobs, ref);
  if (!retryable.includes(job.state)) {
    throw new AppError(
      'JOB_NOT_RETRYABLE',
      `Only a failed, rejected or cancelled job can be retried; this one is ${job.state}.`,
    );
  }
  assertPool(job.request.speed, deps.speeds, 'speed');
  return { ...job, destination: await repeatDestination(deps, job) };
}

/** Cancels an unfinished job; fails after a terminal transition. */
export function cancelJob(deps: CancelJobDeps): RouteApp<typeof cancelJobContract> {
  return async ({ params, principal }) => {
    const job = await findJob(deps.jobs, { ownerId: principal.ownerId, jobId: params.id });
    return { status: 200, body: viewChangedJob(await cancelUnfinished(deps, job), principal) };
  };
}

type DeleteJobDeps = EndPlaybackDeps & {
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
