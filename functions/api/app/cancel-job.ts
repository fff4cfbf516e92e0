import type { cancelJobContract } from '../../../core/api/job-actions.ts';
import type { ParallelMachine } from '../../../core/chunking/ports.ts';
import { AppError } from '../../../core/errors.ts';
import type { JobRef } from '../../../core/jobs/ports.ts';
import type { JobIn } from '../../../core/jobs/record.ts';
import { cancel } from '../../../core/jobs/transitions.ts';
import { viewJob } from '../../../core/jobs/view.ts';
import type { RouteApp } from '../../runtime/http/route.ts';
import { type TerminateJobDeps, terminateJob } from '../../terminate-job/terminate-job.ts';
import { findJob, visibleJob } from './find-job.ts';

/**
 * A worker's heartbeats change the record every few seconds, and the notes of 40 parts some ten times a second, each in
 * one write: losing to so many in a row means that the table is in trouble.
 */
const mostTries = 10;

export type CancelJobDeps = TerminateJobDeps & {
  parallel: ParallelMachine;
  /** Told of a state machine that could not be stopped; its parts find out by themselves that the job has ended. */
  onStopFailed: (ref: JobRef, cause: unknown) => void;
};

/** Cancels over whatever version of the unfinished job is there: it wins against a worker, and loses to an end. */
export function cancelJob(ports: CancelJobDeps): RouteApp<typeof cancelJobContract> {
  return async ({ params, principal: { ownerId } }) => {
    let job = await findJob(ports.jobs, { ownerId, jobId: params.id });
    for (let tries = 0; tries < mostTries; tries++) {
      if (job.state === 'cancelled') return { status: 200, body: viewJob(job, {}) };
      if (job.state !== 'queued' && job.state !== 'processing') {
        throw new AppError('JOB_NOT_CANCELLABLE', `The job has ended already: it is ${job.state}.`);
      }
      const unfinished = job;
      const result = await terminateJob(ports, unfinished, (ending) => cancel(unfinished, ending));
      if (result.written) {
        await stopParts(ports, unfinished);
        return { status: 200, body: viewJob(result.job, {}) };
      }
      job = visibleJob(result.current);
    }
    throw new AppError('UNAVAILABLE', 'The job keeps changing; try again shortly.');
  };
}

async function stopParts({ parallel, onStopFailed }: CancelJobDeps, job: JobIn<'queued' | 'processing'>) {
  if (job.state !== 'processing' || job.execution === undefined) return;
  await parallel.stop(job.execution.name).catch((cause: unknown) => onStopFailed(job, cause));
}
