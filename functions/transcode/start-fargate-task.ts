import { delegateToFargate } from '../../core/jobs/fargate-transitions.ts';
import { holdsLease, type JobIn } from '../../core/jobs/record.ts';
import { retryUntil } from '../terminate-job/retry-until.ts';
import type { FargateTasks, TranscodeDeps } from '../worker/worker-deps.ts';
import { leaveWorker } from './leave-worker.ts';

type StartDeps = Pick<
  TranscodeDeps,
  'jobs' | 'clock' | 'queue' | 'slots' | 'longPermits' | 'workers' | 'onUnexpected'
> & { fargate: Pick<FargateTasks, 'machine'> };

/**
 * Delegates a job to an execution that runs it as a Fargate task. The record names the execution before it starts, so
 * that a cancel can stop it. If this worker dies in between, reconcile finds no execution, and another attempt follows.
 *
 * @param reason why no function can end the job
 */
export async function startFargateTask(
  deps: StartDeps,
  job: JobIn<'processing'>,
  reason: string,
): Promise<'delegated' | 'lost'> {
  const { jobs, clock, fargate } = deps;
  const { ownerId, jobId, leaseId, attempt } = job;
  const execution = `${jobId}-${attempt}`;
  const delegate = (from: JobIn<'processing'>) =>
    delegateToFargate(from, { execution, reason, now: clock.now() });
  let change = delegate(job);
  let result = await jobs.write(change);
  // The last heartbeat may have been written although its response was lost: the lease is still this worker's.
  if (!result.written && holdsLease(leaseId, result.current)) {
    const { dueAt, updatedAt } = result.current;
    change = delegate({ ...job, dueAt, updatedAt });
    result = await jobs.write(change);
  }
  if (!result.written) return 'lost';
  const start = { name: execution, input: { ownerId, jobId, leaseId } };
  await retryUntil(clock, new Date(change.job.dueAt), () => fargate.machine.start(start));
  await leaveWorker(deps, job);
  return 'delegated';
}
