import type { retryJobContract } from '../../../core/api/job-actions.ts';
import { AppError } from '../../../core/errors.ts';
import type { Clock, JobTable, TranscodeQueue } from '../../../core/jobs/ports.ts';
import { create } from '../../../core/jobs/transitions.ts';
import { viewJob } from '../../../core/jobs/view.ts';
import type { RouteApp } from '../../runtime/http/route.ts';
import { findJob } from './find-job.ts';
import { locationOf } from './location.ts';

export type RetryJobPorts = {
  jobs: Pick<JobTable, 'get' | 'write'>;
  queue: TranscodeQueue;
  clock: Pick<Clock, 'now'>;
  newJobId: (createdAt: Date) => string;
};

const retryable = ['failed', 'rejected', 'cancelled'];

/** A new job with the request of one that ended without a result. */
export function retryJob({ jobs, queue, clock, newJobId }: RetryJobPorts): RouteApp<typeof retryJobContract> {
  return async ({ params, principal: { ownerId } }) => {
    const { jobId: retryOf, state, request } = await findJob(jobs, { ownerId, jobId: params.id });
    if (!retryable.includes(state)) {
      throw new AppError(
        'JOB_NOT_RETRYABLE',
        `Only a failed, rejected or cancelled job can be retried; this one is ${state}.`,
      );
    }
    const now = clock.now();
    const { job, guard } = create({ ownerId, jobId: newJobId(now), request, retryOf, now });
    const { written } = await jobs.write({ job, guard });
    if (!written) throw new Error(`The new id ${job.jobId} is taken already`);
    await queue.send(job);
    return { status: 201, headers: { location: locationOf(job) }, body: viewJob(job, {}) };
  };
}
