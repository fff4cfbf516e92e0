import { chunkTasks, runsFirst } from '@media-jobs/video/chunking';
import { retryUntil } from '../../core/async.ts';
import { delegateToExecution, delegateToWorker, recordExecution } from '../../core/jobs/execution-transitions.ts';
import type { JobChange } from '../../core/jobs/guard.ts';
import { leaveLimit } from '../../core/jobs/job-queue.ts';
import { chunkGroup, joinGroup } from '../../core/jobs/message-groups.ts';
import { limitedQueueOf } from '../../core/jobs/queues.ts';
import { holdsLease, type JobIn } from '../../core/jobs/record.ts';
import type { FunctionPorts } from '../../core/worker/ports.ts';
import type { StoredChunkPlan } from './graph-state.ts';

/** Delegates a job to an execution of the state machine that encodes its chunks. */
export function delegateToChunks(
  deps: FunctionPorts,
  job: JobIn<'processing'>,
  { work, planKey, steps }: StoredChunkPlan,
): Promise<'delegated' | 'lost'> {
  const { jobs, parallel, clock, maxRunningChunks } = deps;
  const { ownerId, jobId, attempt, leaseId } = job;
  const groupOf = (index: number) => chunkGroup(job, index, deps);
  const tasks = chunkTasks(work);
  // The last first: audio, which is one task for the whole video and takes the longest.
  const queued = [...tasks.entries()]
    .reverse()
    .map(([chunk, task], index) => ({ task, entry: { chunk, group: groupOf(index) } }));
  const entriesOf = (isFirst: boolean) =>
    queued.flatMap(({ task, entry }) => (runsFirst(work, task) === isFirst ? entry : []));
  // The join is a task too: it records progress.
  const execution = { name: `${jobId}-${attempt}`, taskCount: tasks.length + 1 };
  const input = {
    ownerId,
    jobId,
    leaseId,
    planKey,
    first: entriesOf(true),
    chunks: entriesOf(false),
    group: joinGroup(job, maxRunningChunks),
  };
  return delegateJob(deps, job, {
    record: (current) => recordExecution(current, { execution, steps, now: clock.now() }),
    start: () => parallel.start({ name: execution.name, input }),
    // A rejected write is fine: reconcile has written it, or the job has ended. The execution runs in any case.
    onStarted: async (delegated) => void (await jobs.write(delegateToExecution(delegated, clock.now()))),
  });
}

/** Delegates a job to an execution that runs it as a Fargate task. */
export function delegateToTask(
  deps: FunctionPorts,
  job: JobIn<'processing'>,
  reason: string,
): Promise<'delegated' | 'lost'> {
  const { fargate, clock } = deps;
  if (fargate === undefined) throw new TypeError('The stage has no Fargate tasks');
  const { ownerId, jobId, leaseId, attempt } = job;
  const execution = `${jobId}-${attempt}`;
  const otherWorker = { name: 'fargate', reason } as const;
  return delegateJob(deps, job, {
    record: (current) => delegateToWorker(current, { execution, otherWorker, now: clock.now() }),
    start: () => fargate.machine.start({ name: execution, input: { ownerId, jobId, leaseId } }),
  });
}

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
async function delegateJob(
  deps: FunctionPorts,
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

/** Frees the worker of a delegated job, which counts as a long one no more. It still counts as a running job of its owner. */
async function leaveWorker(deps: FunctionPorts, job: JobIn<'processing'>): Promise<void> {
  const { ownerId, jobId, attempt, queue } = job;
  const entry = { ownerId, jobId, attempt };
  // After a failure the entry counts as a worker until the job ends.
  await deps.queue.running.releaseWorker(entry).catch((cause: unknown) => deps.onUnexpected(job, cause));
  const limited = limitedQueueOf({ queue });
  if (limited === undefined) return;
  await leaveLimit(deps, entry, limited).catch((cause: unknown) => deps.onUnexpected(job, cause));
}
