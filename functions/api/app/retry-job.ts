import type { retryJobContract } from '../../../core/api/job-actions.ts';
import { AppError } from '../../../core/errors.ts';
import type { JobTable } from '../../../core/jobs/ports.ts';
import type { RouteApp } from '../../runtime/http/route.ts';
import { findJob } from './find-job.ts';
import { type SubmitJobDeps, submitJob } from './submit-job.ts';

export type RetryJobDeps = SubmitJobDeps & { jobs: JobTable };

const retryable = ['failed', 'rejected', 'cancelled'];

/** A new job with the request of one that ended without a result. */
export function retryJob(ports: RetryJobDeps): RouteApp<typeof retryJobContract> {
  return async ({ params, headers, principal: { ownerId } }) => {
    const { jobId: retryOf, state, request } = await findJob(ports.jobs, { ownerId, jobId: params.id });
    if (!retryable.includes(state)) {
      throw new AppError(
        'JOB_NOT_RETRYABLE',
        `Only a failed, rejected or cancelled job can be retried; this one is ${state}.`,
      );
    }
    // No body of a new job is like this one: a key stands for one request, of whatever kind.
    const idempotentContent = { retryOf };
    return submitJob(ports, {
      ownerId,
      request,
      retryOf,
      key: headers['idempotency-key'],
      idempotentContent,
    });
  };
}
