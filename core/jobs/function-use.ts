import { durations } from './durations.ts';
import type { FunctionUse, JobIn } from './record.ts';

const nothing: FunctionUse = { workerMs: 0, taskMs: 0, tasks: 0, executions: 0 };

/**
 * What a job has used until `now`: its ended attempts and the present one. It is read from the record, so a write that
 * stores it counts each millisecond once, whatever is lost or repeated.
 */
export function functionUseUntil(job: JobIn<'queued' | 'processing'>, now: Date): FunctionUse {
  const { functionUse = nothing } = job;
  if (job.state === 'queued') return functionUse;
  const isDelegated = job.chunkProgress !== undefined;
  const tasks = Object.values(job.taskMs ?? {});
  return {
    workerMs: functionUse.workerMs + (isDelegated ? 0 : workerMsUntil(job, now)),
    taskMs: functionUse.taskMs + tasks.reduce((sum, ms) => sum + ms, 0),
    tasks: functionUse.tasks + tasks.length,
    executions: functionUse.executions + (isDelegated ? 1 : 0),
  };
}

/** The use after a worker has delegated the job: from then on the record has the time of each task. */
export function functionUseOfDelegated(job: JobIn<'processing'>, now: Date): FunctionUse {
  const { functionUse = nothing } = job;
  if (job.chunkProgress !== undefined) return functionUse;
  return { ...functionUse, workerMs: functionUse.workerMs + workerMsUntil(job, now) };
}

/**
 * Milliseconds since the claim. A lost worker has stopped at an unknown time between its last heartbeat and the next one
 * that it would have written, half a lease later: the later time counts.
 */
function workerMsUntil({ claimedAt, dueAt }: JobIn<'processing'>, now: Date): number {
  const leaseEnd = Date.parse(dueAt);
  const end = now.getTime() < leaseEnd ? now.getTime() : leaseEnd - durations.leaseMs / 2;
  return Math.max(0, end - Date.parse(claimedAt));
}
