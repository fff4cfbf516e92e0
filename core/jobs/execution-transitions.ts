import { addMs, dueIn, durations, maxHostWaits } from './durations.ts';
import { functionUseOfDelegated, leaseMsOf } from './function-use.ts';
import { type JobChange, leaseGuard, progressGuard, versionGuard } from './guard.ts';
import { isEconomy, standardQueueOf } from './job-queue.ts';
import { addChunking, type CompletedSteps, type StepsInBucket, workersOf } from './job-result.ts';
import { addEvents } from './progress.ts';
import type { JobIn, OtherWorkerChoice } from './record.ts';
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

/**
 * Delegates a whole job to an execution that runs it on another worker, a Fargate task. The caller
 * starts the execution after this is written, so that a cancel in between finds what to stop. Until the worker takes the
 * job over, reconcile checks whether the execution is running: soon for the first time, so that a start that failed costs
 * little.
 */
export function delegateToWorker(
  job: JobIn<'processing'>,
  { execution, otherWorker, now }: { execution: string; otherWorker: OtherWorkerChoice; now: Date },
): JobChange<JobIn<'processing'>> {
  // It holds no worker of the queue, so the limit of long jobs does not hold for it if it is requeued.
  const { estimatedEndAt: _, queue: __, ...rest } = job;
  const { name: worker, reason } = otherWorker;
  const from = job.completedSteps?.count ?? 0;
  const to = Object.keys(job.request.outputs ?? job.request.steps ?? [job.request.recipe]).length;
  return {
    guard: leaseGuard(job),
    job: addEvents(
      {
        ...rest,
        functionUse: functionUseOfDelegated(job, now),
        delegation: { worker, execution },
        otherWorker,
        chunking: addChunking(job.completedSteps?.chunking, { chunks: 1, reason }),
        workers: workersOf([{ kind: 'task', from, to, reason, step: from }], job.workers),
        updatedAt: now.toISOString(),
        ...dueIn(now, durations.leaseMs),
      },
      now,
    ),
  };
}

/**
 * A worker takes a delegated job over, under a new lease: if two were started for it, only one of them works. From now on
 * it is the worker of the job.
 */
export function takeOverJob(
  job: JobIn<'processing'>,
  { leaseId, now }: { leaseId: string; now: Date },
): JobChange<JobIn<'processing'>> {
  if (job.delegation === undefined) throw new TypeError(`Job ${job.jobId} is not delegated to a worker`);
  const delegation = { ...job.delegation, hasStarted: true as const };
  const at = now.toISOString();
  return {
    guard: leaseGuard(job),
    job: {
      ...job,
      leaseId,
      delegation,
      stage: 'validating',
      claimedAt: at,
      updatedAt: at,
      ...dueIn(now, leaseMsOf({ delegation })),
    },
  };
}

/** Whether a job may wait for the host of a source for this time: at most an hour, five times. */
export function mayWaitForHost({ hostWaits = 0 }: JobIn<'processing'>, retryAfterMs: number): boolean {
  return hostWaits < maxHostWaits && retryAfterMs <= durations.maxHostWaitMs;
}

/**
 * Requeues a job until the host of a source accepts requests again (`Retry-After`), and for longer each time. The caller
 * sends the delayed message after this is written.
 */
export function requeueForHost(
  job: JobIn<'processing'>,
  { retryAfterMs, now }: { retryAfterMs: number; now: Date },
): JobChange<JobIn<'queued'>> {
  const { hostWaits = 0 } = job;
  const waitMs = Math.max(retryAfterMs, durations.minHostWaitMs * 2 ** hostWaits);
  const { job: requeued } = requeue(job, now);
  return {
    guard: { leaseId: job.leaseId },
    job: {
      ...requeued,
      hostWaits: hostWaits + 1,
      notBefore: addMs(now, waitMs),
      ...dueIn(now, waitMs + durations.resendAfterMs),
    },
  };
}

/** Whether a queued job waits for the host of a source. Its message is sent, or sent again, once the time is over. */
export function waitsForHost({ notBefore = '' }: JobIn<'queued'>, now: Date): boolean {
  return now.toISOString() < notBefore;
}

/**
 * Records the publication that becomes visible at the job's storage provider. No attempt can start another one, and the
 * job can no longer be cancelled. If the function dies, the next attempt completes the publication: it records the same one
 * again, for a lease of full length.
 */
export function startPublishing(
  job: JobIn<'processing'>,
  publishing: string,
  now: Date,
): JobChange<JobIn<'processing'> & { publishing: string }> {
  const { guard, job: renewed } = renewPublishing(job, now);
  return { guard, job: { ...renewed, publishing, stage: 'uploading' } };
}

/** Renews the lease of a job while its files become visible. */
export function renewPublishing(job: JobIn<'processing'>, now: Date): JobChange<JobIn<'processing'>> {
  return {
    guard: { ...leaseGuard(job), ...progressGuard(job) },
    job: { ...job, updatedAt: now.toISOString(), ...dueIn(now, durations.leaseMs) },
  };
}
