import type { RouteApp } from '../../adapters/runtime/http/route.ts';
import type { retryJobContract } from '../../core/api/job-actions.ts';
import { AppError } from '../../core/errors.ts';
import { stepsForRetry } from '../../core/jobs/kept-files.ts';
import type { JobRef } from '../../core/jobs/ports.ts';
import type { Job } from '../../core/jobs/record.ts';
import { findJob, viewChangedJob } from '../../core/jobs/view.ts';
import { type AcceptJobDeps, assertPool, repeatSpeed } from '../../core/submission/accept-job.ts';
import { repeatDestination } from '../../core/submission/choose-destination.ts';
import { findAcceptedJob, type SubmitJobDeps, submitJob } from '../../core/submission/submit-job.ts';

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
