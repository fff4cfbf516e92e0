import { dueIn, durations } from './durations.ts';
import { functionUseOfDelegated } from './function-use.ts';
import { type JobChange, leaseGuard, versionGuard } from './guard.ts';
import { isEconomy, standardQueueOf } from './job-queue.ts';
import type { CompletedSteps, StepsInBucket } from './job-result.ts';
import { addEvents } from './progress.ts';
import type { JobIn } from './record.ts';
import { addCompletedSteps, heartbeat, requeue } from './transitions.ts';

/** The execution of the state machine that encodes a job's chunks, as the record names it. */
export type Execution = NonNullable<JobIn<'processing'>['execution']>;

/**
 * Names the execution that is about to be started, and counts the time of the worker. The lease still ends soon, so that
 * little time is lost if the worker dies before the start.
 *
 * @param steps the completed steps of a pipeline, if the worker has run some before the one that it delegates
 */
export function recordExecution(
  job: JobIn<'processing'>,
  { execution, steps, now }: { execution: Execution; steps?: StepsInBucket | undefined; now: Date },
): JobChange<JobIn<'processing'>> {
  const change = heartbeat(job, { stage: 'transcoding', progress: job.progress, now });
  const functionUse = functionUseOfDelegated(job, now);
  const delegated = { ...change.job, execution, functionUse, ...dueIn(now, durations.leaseMs) };
  return { ...change, job: addEvents(addCompletedSteps(delegated, steps), now) };
}

/**
 * Delegates a job to its execution. From now on chunk tasks record their progress, the lease is not renewed, and
 * reconcile checks at `dueAt` whether the execution is running.
 */
export function delegateToExecution(job: JobIn<'processing'>, now: Date): JobChange<JobIn<'processing'>> {
  const { chunkProgress = {}, taskMs = {}, taskBeats = {}, progressVersion = 0 } = job;
  const functionUse = functionUseOfDelegated(job, now);
  return {
    guard: leaseGuard(job),
    job: {
      ...job,
      functionUse,
      chunkProgress,
      taskMs,
      taskBeats,
      progressVersion,
      ...dueIn(now, durations.executionCheckMs),
    },
  };
}

/** Sets the time of the next check of a running execution. */
export function extendExecutionCheck(job: JobIn<'processing'>, now: Date): JobChange<JobIn<'processing'>> {
  const guard = versionGuard(job);
  if (job.delegation === undefined) return { ...delegateToExecution(job, now), guard };
  return { guard, job: { ...job, ...dueIn(now, durations.executionCheckMs) } };
}

/** Requeues a job whose chunks could not be encoded or joined. The guard is the lease: no worker was lost. */
export function requeueFromExecution(job: JobIn<'processing'>, now: Date): JobChange<JobIn<'queued'>> {
  const { progressVersion = null } = job;
  return { ...requeue(job, now), guard: { ...leaseGuard(job), progressVersion } };
}

/**
 * Requeues a job one of whose steps is completed, or given up. The next attempt begins with the step after it, decides
 * anew on chunks and on the queue, and no attempt until now counts as failed.
 */
export function requeueForNextStep(
  job: JobIn<'processing'>,
  steps: Omit<CompletedSteps, 'attempts'>,
  now: Date,
): JobChange<JobIn<'queued'>> {
  const change = requeueFromExecution(job, now);
  const {
    queue,
    hasWaitedForLimit: _,
    hostWaits: __,
    interruptions: ___,
    singlePassReason: ____,
    ...rest
  } = change.job;
  return {
    ...change,
    job: addEvents(
      {
        ...rest,
        ...(isEconomy({ queue }) ? { queue } : standardQueueOf(rest)),
        completedSteps: { ...steps, attempts: job.attempt },
      },
      now,
    ),
  };
}

/** Requeues such a job to be encoded in a single pass. */
export function requeueForSinglePass(job: JobIn<'processing'>, reason: string, now: Date): JobChange<JobIn<'queued'>> {
  const change = requeueFromExecution(job, now);
  return { ...change, job: { ...change.job, singlePassReason: reason } };
}
