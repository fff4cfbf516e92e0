import { addMs, durations } from './durations.ts';
import { functionUseOfDelegated } from './function-use.ts';
import type { JobChange } from './guard.ts';
import type { JobIn } from './record.ts';
import { leaseGuard } from './transitions.ts';

/**
 * Delegates a job to an execution that runs it as a Fargate task. The caller starts the execution after this is written,
 * so that a cancel in between finds what to stop. Until the task takes the job over, reconcile checks whether the
 * execution is running: soon for the first time, so that a start that failed costs little.
 *
 * @param reason why no function can end the job, as its owner reads it
 */
export function delegateToFargate(
  job: JobIn<'processing'>,
  { execution, reason, now }: { execution: string; reason: string; now: Date },
): JobChange<JobIn<'processing'>> {
  // A task holds no worker, so the job waits for no permit of long jobs if it is requeued.
  const { estimatedEndAt: _, lane: __, ...rest } = job;
  return {
    guard: leaseGuard(job),
    job: {
      ...rest,
      functionUse: functionUseOfDelegated(job, now),
      fargateTask: { execution },
      fargateReason: reason,
      chunking: { chunks: 1, reason },
      updatedAt: now.toISOString(),
      dueAt: addMs(now, durations.leaseMs),
    },
  };
}

/**
 * A Fargate task takes a job over, under a new lease: if two tasks were started for it, only one of them works. From now
 * on the task is the worker of the job.
 */
export function takeOverAsFargateTask(
  job: JobIn<'processing'>,
  { leaseId, now }: { leaseId: string; now: Date },
): JobChange<JobIn<'processing'>> {
  const { fargateTask } = job;
  if (fargateTask === undefined) throw new TypeError(`Job ${job.jobId} is not delegated to a Fargate task`);
  const at = now.toISOString();
  return {
    guard: leaseGuard(job),
    job: {
      ...job,
      leaseId,
      fargateTask: { ...fargateTask, hasStarted: true },
      stage: 'validating',
      claimedAt: at,
      updatedAt: at,
      dueAt: addMs(now, durations.fargateLeaseMs),
    },
  };
}
