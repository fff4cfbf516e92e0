import type { cancelJobContract } from '../../../core/api/job-actions.ts';
import { AppError } from '../../../core/errors.ts';
import { cancel } from '../../../core/jobs/transitions.ts';
import { viewJob } from '../../../core/jobs/view.ts';
import { type EndingPorts, endJob } from '../../ending/end-job.ts';
import type { RouteApp } from '../../runtime/http/route.ts';
import { existing, findJob } from './find-job.ts';

/**
 * A worker's heartbeats change the record every few seconds, each in one write: losing to so many in a row means that
 * the table is in trouble.
 */
const mostTries = 5;

/** Cancels over whatever version of the unfinished job is there: it wins against a worker, and loses to an end. */
export function cancelJob(ports: EndingPorts): RouteApp<typeof cancelJobContract> {
  return async ({ params, principal: { ownerId } }) => {
    let job = await findJob(ports.jobs, { ownerId, jobId: params.id });
    for (let tries = 0; tries < mostTries; tries++) {
      if (job.state === 'cancelled') return { status: 200, body: viewJob(job, {}) };
      if (job.state !== 'queued' && job.state !== 'processing') {
        throw new AppError('JOB_NOT_CANCELLABLE', `The job has ended already: it is ${job.state}.`);
      }
      const unfinished = job;
      const result = await endJob(ports, unfinished, (ending) => cancel(unfinished, ending));
      if (result.written) return { status: 200, body: viewJob(result.job, {}) };
      job = existing(result.current);
    }
    throw new AppError('UNAVAILABLE', 'The job keeps changing; try again shortly.');
  };
}
