import { retryUntil } from '../../core/async/retry-until.ts';
import type { JobChange } from '../../core/jobs/guard.ts';
import { longLane } from '../../core/jobs/lanes.ts';
import { leaveLongLane } from '../../core/jobs/long-lane.ts';
import { holdsLease, type JobIn } from '../../core/jobs/record.ts';
import type { TranscodeDeps } from '../../core/worker/worker-deps.ts';

export type DelegateDeps = Pick<
  TranscodeDeps,
  'jobs' | 'clock' | 'queue' | 'slots' | 'longPermits' | 'workers' | 'onUnexpected'
>;

type Delegation = {
  /** The transition that names the execution in the record. */
  record: (job: JobIn<'processing'>) => JobChange<JobIn<'processing'>>;
  start: () => Promise<void>;
  /** Called with the written record. Not called if the start failed. */
  onStarted?: (delegated: JobIn<'processing'>) => Promise<void>;
};

/**
 * Delegates a job to an execution. The record names the execution before it starts, so that a cancel can stop it. If this
 * worker dies in between, the lease ends soon: reconcile finds no execution, and another attempt follows.
 */
export async function delegateJob(
  deps: DelegateDeps,
  job: JobIn<'processing'>,
  { record, start, onStarted }: Delegation,
): Promise<'delegated' | 'lost'> {
  const { jobs, clock } = deps;
  let change = record(job);
  let result = await jobs.write(change);
  // The last heartbeat may have been written although its response was lost: the lease is still this worker's.
  if (!result.written && holdsLease(job.leaseId, result.current)) {
    const { dueAt, updatedAt } = result.current;
    change = record({ ...job, dueAt, updatedAt });
    result = await jobs.write(change);
  }
  if (!result.written) return 'lost';
  await retryUntil(clock, new Date(change.job.dueAt), start);
  try {
    await onStarted?.(change.job);
  } finally {
    await leaveWorker(deps, job);
  }
  return 'delegated';
}

/** Frees what the worker of a delegated job held: its share of the workers and its permit. The job keeps its slot. */
async function leaveWorker(deps: DelegateDeps, job: JobIn<'processing'>): Promise<void> {
  const { ownerId, jobId, attempt, lane } = job;
  const slot = { ownerId, jobId, attempt };
  // After a failure the slot counts as a worker until the job ends.
  await deps.slots.releaseWorker(slot).catch((cause: unknown) => deps.onUnexpected(job, cause));
  if (lane !== longLane) return;
  await leaveLongLane(deps, slot).catch((cause: unknown) => deps.onUnexpected(job, cause));
}
