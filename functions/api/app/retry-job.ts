import type { retryJobContract } from '../../../core/api/job-actions.ts';
import { AppError } from '../../../core/errors.ts';
import type { RouteApp } from '../../runtime/http/route.ts';
import { findJob } from './find-job.ts';
import { type SubmitJobDeps, submitJob } from './submit-job.ts';

const retryable = ['failed', 'rejected', 'cancelled'];

/** Submits a new job with the request and the destination of a failed, rejected or cancelled one. */
export function retryJob(deps: SubmitJobDeps): RouteApp<typeof retryJobContract> {
  return async ({ params, headers, principal }) => {
    const job = await findJob(deps.jobs, { ownerId: principal.ownerId, jobId: params.id });
    const { jobId: retryOf, state, request, destination } = job;
    if (!retryable.includes(state)) {
      throw new AppError(
        'JOB_NOT_RETRYABLE',
        `Only a failed, rejected or cancelled job can be retried; this one is ${state}.`,
      );
    }
    // No body of POST /api/v1/jobs equals it, so a key of a new job cannot be reused for a retry.
    const keyedBody = { retryOf };
    return submitJob(deps, {
      principal,
      request,
      retryOf,
      destination,
      unpublished: job.state === 'failed' ? job.unpublished : undefined,
      // Encrypted for the first job. Its id goes along, so this function needs no access to the key.
      contentKeyOf: async () => ('contentKey' in job ? job.contentKey : undefined),
      idempotencyKey: headers['idempotency-key'],
      keyedBody,
    });
  };
}
