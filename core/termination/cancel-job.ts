import { retryConflicts } from '../async.ts';
import { AppError } from '../errors.ts';
import type { ParallelStateMachine } from '../jobs/chunked-ports.ts';
import type { FargateMachine, JobRef } from '../jobs/ports.ts';
import type { Job, JobIn } from '../jobs/record.ts';
import { cancel } from '../jobs/termination.ts';
import { visibleJob } from '../jobs/view.ts';
import { type TerminateJobDeps, terminateJob } from './terminate-job.ts';

export type CancelJobDeps = TerminateJobDeps & {
  parallel: Pick<ParallelStateMachine, 'stop'>;
  /** Undefined if the stage has no Fargate tasks. */
  fargateMachine?: Pick<FargateMachine, 'stop'> | undefined;
  /** Called if the execution cannot be stopped. Its tasks stop on their own once the job has ended. */
  onStopFailed: (ref: JobRef, cause: unknown) => void;
};

/**
 * Cancels an unfinished job. Writes again after a heartbeat changed the record.
 * @throws AppError JOB_NOT_CANCELLABLE after another end
 */
export function cancelUnfinished(deps: CancelJobDeps, found: Job): Promise<Job> {
  let job = found;
  return retryConflicts(async () => {
    if (job.state === 'cancelled') return job;
    if (job.state !== 'queued' && job.state !== 'processing') {
      throw new AppError('JOB_NOT_CANCELLABLE', `The job has already ended: it is ${job.state}.`);
    }
    if (job.publishing !== undefined) {
      throw new AppError(
        'JOB_NOT_CANCELLABLE',
        'The files of the job are being published at its storage provider: it can no longer be cancelled.',
      );
    }
    const unfinished = job;
    const result = await terminateJob(deps, unfinished, (termination) => cancel(unfinished, termination));
    if (result.written) {
      await stopExecution(deps, unfinished);
      return result.job;
    }
    job = visibleJob(result.current);
    return false;
  });
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
