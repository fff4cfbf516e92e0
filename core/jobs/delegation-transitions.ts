import { dueIn, durations } from './durations.ts';
import { functionUseOfDelegated, leaseMsOf } from './function-use.ts';
import { type JobChange, leaseGuard } from './guard.ts';
import { addChunking, workersOf } from './job-result.ts';
import { addEvents } from './progress.ts';
import type { JobIn, OtherWorkerChoice } from './record.ts';

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
