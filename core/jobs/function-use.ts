import { durations } from './durations.ts';
import type { FunctionUse, JobIn } from './record.ts';

const nothing: FunctionUse = { workerMs: 0, taskMs: 0, tasks: 0, executions: 0 };

/**
 * The use of a job until `now`, by its ended attempts and the current one. It derives from the record that the write is
 * based on, so each millisecond counts once even if writes are lost or repeated.
 */
export function functionUseUntil(job: JobIn<'queued' | 'processing'>, now: Date): FunctionUse {
  const { functionUse = nothing } = job;
  if (job.state === 'queued') return functionUse;
  if (job.delegation !== undefined) return withDelegation(functionUse, job, now);
  if (job.pool !== undefined) {
    const field = job.pool === 'spot' ? 'spotMs' : 'onDemandMs';
    return { ...functionUse, [field]: (functionUse[field] ?? 0) + workerMsUntil(job, now) };
  }
  const isDelegated = job.chunkProgress !== undefined;
  const tasks = Object.values(job.taskMs ?? {});
  return {
    ...functionUse,
    workerMs: functionUse.workerMs + (isWorkerCounted(job) ? 0 : workerMsUntil(job, now)),
    taskMs: functionUse.taskMs + tasks.reduce((sum, ms) => sum + ms, 0),
    tasks: functionUse.tasks + tasks.length,
    executions: functionUse.executions + (isDelegated ? 1 : 0),
  };
}

/**
 * The use after a write that stops the functions of a job. A chunk task stops at its next heartbeat, and adds the time since
 * its last record. One that has died recorded nothing since.
 *
 * @param use until the worker of the job stops
 */
export function functionUseOfStopped(
  job: JobIn<'queued' | 'processing'>,
  now: Date,
  use = functionUseUntil(job, now),
): FunctionUse {
  if (job.state === 'queued') return use;
  const { taskBeats = {}, claimedAt } = job;
  const sinceClaimMs = now.getTime() - Date.parse(claimedAt);
  const unrecordedMs = (beat: number) =>
    Math.max(0, Math.min(sinceClaimMs - 1000 * beat, durations.taskProgressMs)) + durations.heartbeatMs;
  const missingMs = Object.values(taskBeats).reduce((sum, beat) => sum + unrecordedMs(beat), 0);
  return { ...use, taskMs: use.taskMs + missingMs };
}

/** Whether `functionUse` has the time of the worker: it is added once an execution is named. */
function isWorkerCounted({ execution, chunkProgress, delegation }: JobIn<'processing'>): boolean {
  return (execution ?? chunkProgress ?? delegation) !== undefined;
}

/**
 * The use after a worker has named the execution that goes on with the job: from then on the record has the time of
 * each task.
 */
export function functionUseOfDelegated(job: JobIn<'processing'>, now: Date): FunctionUse {
  const { functionUse = nothing } = job;
  if (isWorkerCounted(job)) return functionUse;
  return { ...functionUse, workerMs: functionUse.workerMs + workerMsUntil(job, now) };
}

/** Adds the execution of a delegated job, and the time of its worker once that has taken the job over. */
function withDelegation(use: FunctionUse, job: JobIn<'processing'>, now: Date): FunctionUse {
  const delegated = { ...use, executions: use.executions + 1 };
  const { delegation } = job;
  if (delegation?.hasStarted === undefined) return delegated;
  const { fargateMs = 0, fargateTasks = 0 } = use;
  return { ...delegated, fargateMs: fargateMs + workerMsUntil(job, now), fargateTasks: fargateTasks + 1 };
}

/**
 * Milliseconds since the claim. A lost worker has stopped at an unknown time between its last heartbeat and the next one
 * that it would have written, when half of its lease was left: the later time counts. If reconcile has moved `dueAt`
 * since, the end of the lease follows from `updatedAt`.
 */
function workerMsUntil(job: JobIn<'processing'>, now: Date): number {
  const leaseEnd = Math.min(Date.parse(job.dueAt), Date.parse(job.updatedAt) + leaseMsOf(job));
  const lastBeat = Math.max(Date.parse(job.updatedAt), leaseEnd - leaseMsOf(job) / 2);
  const end = now.getTime() < leaseEnd ? now.getTime() : lastBeat;
  return Math.max(0, end - Date.parse(job.claimedAt));
}

/** The time after its last write at which the worker of a job is considered lost. */
export function leaseMsOf({ delegation, pool }: Pick<JobIn<'processing'>, 'delegation' | 'pool'>): number {
  return delegation?.hasStarted || pool ? durations.fargateLeaseMs : durations.leaseMs;
}
