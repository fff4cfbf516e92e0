import type { RouteApp } from '../../adapters/runtime/http/route.ts';
import type { cancelJobContract } from '../../core/api/job-actions.ts';
import { AppError } from '../../core/errors.ts';
import type { ParallelStateMachine } from '../../core/jobs/chunked-ports.ts';
import { findJob, visibleJob } from '../../core/jobs/find-job.ts';
import type { FargateMachine, JobRef } from '../../core/jobs/ports.ts';
import type { JobIn } from '../../core/jobs/record.ts';
import { retryConflicts } from '../../core/jobs/retry-conflicts.ts';
import { cancel } from '../../core/jobs/termination.ts';
import { viewChangedJob } from '../../core/jobs/view.ts';
import { type TerminateJobDeps, terminateJob } from '../../core/termination/terminate-job.ts';

export type CancelJobDeps = TerminateJobDeps & {
  parallel: Pick<ParallelStateMachine, 'stop'>;
  /** Undefined if the stage has no Fargate tasks. */
  fargateMachine?: Pick<FargateMachine, 'stop'> | undefined;
  /** Called if the execution cannot be stopped. Its tasks stop on their own once the job has ended. */
  onStopFailed: (ref: JobRef, cause: unknown) => void;
};

/** Cancels an unfinished job. Writes again after a heartbeat changed the record; fails after a terminal transition. */
export function cancelJob(deps: CancelJobDeps): RouteApp<typeof cancelJobContract> {
  return async ({ params, principal }) => {
    let job = await findJob(deps.jobs, { ownerId: principal.ownerId, jobId: params.id });
    return retryConflicts(async () => {
      if (job.state === 'cancelled') return { status: 200, body: viewChangedJob(job, principal) };
      if (job.state !== 'queued' && job.state !== 'processing') {
        throw new AppError('JOB_NOT_CANCELLABLE', `The job has already ended: it is ${job.state}.`);
      }
      if (job.publishing !== undefined) {
        throw new AppError(
          'JOB_NOT_CANCELLABLE',
          'The files of the job are becoming visible at its storage provider: it can no longer be cancelled.',
        );
      }
      const unfinished = job;
      const result = await terminateJob(deps, unfinished, (termination) => cancel(unfinished, termination));
      if (result.written) {
        await stopExecution(deps, unfinished);
        return { status: 200, body: viewChangedJob(result.job, principal) };
      }
      job = visibleJob(result.current);
      return false;
    });
  };
}

/** A task of the pool goes on with other jobs: its slot finds the job cancelled at its next heartbeat. */
async function stopExecution(
  { parallel, fargateMachine, onStopFailed }: CancelJobDeps,
  job: JobIn<'queued' | 'processing'>,
) {
  if (job.state !== 'processing') return;
  const { execution, delegation } = job;
  const stops = [execution && parallel.stop(execution.name), delegation && fargateMachine?.stop(delegation.execution)];
  await Promise.all(stops).catch((cause: unknown) => onStopFailed(job, cause));
}
