import { addMs, durations } from './durations.ts';
import { functionUseOfDelegated } from './function-use.ts';
import type { JobChange } from './guard.ts';
import type { JobIn } from './record.ts';
import { heartbeat, leaseGuard, requeue, versionGuard } from './transitions.ts';

/** The execution of the state machine that encodes a job's chunks, as the record names it. */
export type Execution = NonNullable<JobIn<'processing'>['execution']>;

/**
 * Names the execution that is about to be started, and counts the time of the worker. The lease still ends soon, so that
 * little time is lost if the worker dies before the start.
 */
export function recordExecution(
  job: JobIn<'processing'>,
  { execution, now }: { execution: Execution; now: Date },
): JobChange<JobIn<'processing'>> {
  const change = heartbeat(job, { stage: 'transcoding', progress: job.progress, now });
  const functionUse = functionUseOfDelegated(job, now);
  const dueAt = addMs(now, durations.leaseMs);
  return { ...change, job: { ...change.job, execution, functionUse, dueAt } };
}

/**
 * Delegates a job to its execution. From now on chunk tasks record their progress, the lease is not renewed, and
 * reconcile checks at `dueAt` whether the execution is running.
 */
export function delegateToExecution(job: JobIn<'processing'>, now: Date): JobChange<JobIn<'processing'>> {
  const { chunkProgress = {}, taskMs = {}, progressVersion = 0 } = job;
  const functionUse = functionUseOfDelegated(job, now);
  return {
    guard: leaseGuard(job),
    job: {
      ...job,
      functionUse,
      chunkProgress,
      taskMs,
      progressVersion,
      dueAt: addMs(now, durations.executionCheckMs),
    },
  };
}

/** Sets the time of the next check of a running execution. */
export function extendExecutionCheck(job: JobIn<'processing'>, now: Date): JobChange<JobIn<'processing'>> {
  const guard = versionGuard(job);
  if (job.delegation === undefined) return { ...delegateToExecution(job, now), guard };
  return { guard, job: { ...job, dueAt: addMs(now, durations.executionCheckMs) } };
}

/** Requeues a job whose chunks could not be encoded or joined. The guard is the lease: no worker was lost. */
export function requeueFromExecution(job: JobIn<'processing'>, now: Date): JobChange<JobIn<'queued'>> {
  const { progressVersion = null } = job;
  return { ...requeue(job, now), guard: { ...leaseGuard(job), progressVersion } };
}

/** Requeues such a job to be encoded in a single pass. */
export function requeueForSinglePass(
  job: JobIn<'processing'>,
  reason: string,
  now: Date,
): JobChange<JobIn<'queued'>> {
  const change = requeueFromExecution(job, now);
  return { ...change, job: { ...change.job, singlePassReason: reason } };
}
