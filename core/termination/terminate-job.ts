import { retryConflicts, retryUntil } from '../async.ts';
import { AppError } from '../errors.ts';
import type { ParallelStateMachine } from '../jobs/chunked-ports.ts';
import type { JobChange } from '../jobs/guard.ts';
import { type JobQueue, leaveLimit } from '../jobs/job-queue.ts';
import type { Clock, FargateMachine, JobRef, JobTable, WriteResult } from '../jobs/ports.ts';
import { batchJobsQueue, limitedQueueOf, longJobsQueue } from '../jobs/queues.ts';
import type { Job, JobIn, JobRecord, TerminalJob } from '../jobs/record.ts';
import { entryLeftBy } from '../jobs/running-limit.ts';
import { cancel, type Termination } from '../jobs/termination.ts';
import { visibleJob } from '../jobs/view.ts';
import { costOfEndedJob } from '../pricing/cost-of-job.ts';
import type { PricedStage } from '../pricing/region-prices.ts';
import type { SettingsTable } from '../settings/owner-settings.ts';
import type { DeliveryQueue } from '../webhooks/delivery.ts';

export type StartDeliveryDeps = {
  jobs: JobTable;
  settings: { get: SettingsTable['get'] };
  deliveries: DeliveryQueue;
  clock: Clock;
  newId: () => string;
  /** Receives the error of a delivery that was not started; reconcile starts it. */
  onDeliveryStartFailed: (ref: JobRef, cause: unknown) => void;
};

/** `money.stage` is what the cost of a job depends on. */
export type TerminateJobDeps = StartDeliveryDeps & { money: { stage: PricedStage } };

/**
 * Ends a job: resolves the webhook's target, makes the terminal write with the job's cost, and starts the delivery.
 * Every function ends jobs this way. If the table fails, the same write is retried while there is time before `until`.
 * A delivery that was not started is not an error: reconcile finds it by its `dueAt`.
 */
export async function terminateJob(
  deps: TerminateJobDeps,
  job: JobIn<'queued' | 'processing'>,
  transition: (termination: Termination) => JobChange<TerminalJob>,
  { until }: { until?: Date } = {},
): Promise<WriteResult & { job: TerminalJob }> {
  const { clock, jobs, newId } = deps;
  const webhookTarget = await retryUntil(clock, until, () => resolveWebhookTarget(deps, job));
  const { job: ended, guard } = transition({ now: clock.now(), webhookTarget, deliveryId: newId() });
  const change = { guard, job: { ...ended, cost: costOfEndedJob(ended, deps.money.stage) } };
  const result = await retryUntil(clock, until, () => jobs.write(change));
  if (result.written) await startDelivery(deps, change.job);
  return { ...result, job: change.job };
}

/** The URL that receives a job's webhook: its own `webhookUrl`, otherwise the owner's default, otherwise none. */
export async function resolveWebhookTarget(
  { settings }: Pick<StartDeliveryDeps, 'settings'>,
  { ownerId, request }: Job,
): Promise<string | null> {
  return request.webhookUrl ?? (await settings.get(ownerId)).defaultWebhookUrl;
}

/**
 * Sends a job's pending delivery to deliver-webhook, which makes the first attempt. A failure is reported, not thrown:
 * reconcile sends it again at `dueAt`.
 */
export async function startDelivery(
  { deliveries, onDeliveryStartFailed }: Pick<StartDeliveryDeps, 'deliveries' | 'onDeliveryStartFailed'>,
  { ownerId, jobId, pendingDelivery }: Pick<TerminalJob, 'ownerId' | 'jobId' | 'pendingDelivery'>,
): Promise<void> {
  if (pendingDelivery === undefined) return;
  try {
    await deliveries.send({ ownerId, jobId, deliveryId: pendingDelivery.id });
  } catch (cause) {
    onDeliveryStartFailed({ ownerId, jobId }, cause);
  }
}

/**
 * Whether this attempt has completed the job although its terminal write was rejected: the response to the first try was
 * lost, and the delivery has changed the record since. The attempt's files are then the job's result.
 */
export function wasCompletedByAttempt({ attempt }: JobIn<'processing'>, current: JobRecord | undefined): boolean {
  return current?.state === 'completed' && current.attempt === attempt;
}

export type LeaveLimitsDeps = {
  queue: JobQueue;
  /** Receives the error of an attempt that still counts: the next claim that is over the limit removes it. */
  onLeaveFailed: (ref: JobRef, cause: unknown) => void;
};

/** A job table that lets each attempt that a write ends leave the limits of running jobs. */
export function leavingLimits(jobs: JobTable, deps: LeaveLimitsDeps): JobTable {
  return {
    ...jobs,
    async write(change) {
      const result = await jobs.write(change);
      if (result.written) await leaveRunning(jobs, deps, change);
      return result;
    },
  };
}

/**
 * Counts an ended attempt no longer. If the owner was at its limit, one of its waiting jobs gets a message: the worker
 * that received its last one left it waiting.
 */
async function leaveRunning(
  jobs: JobTable,
  { queue, onLeaveFailed }: LeaveLimitsDeps,
  change: JobChange,
): Promise<void> {
  const entry = entryLeftBy(change);
  if (entry === undefined) return;
  const { ownerId } = entry;
  const { job } = change;
  // A lost worker may have entered the limit of long jobs before it recorded that.
  const limited = 'queue' in job ? limitedQueueOf(job) : undefined;
  if (job.state === 'queued' || limited !== undefined) {
    await leaveLimit({ jobs, queue }, entry, limited ?? longJobsQueue).catch((cause: unknown) =>
      onLeaveFailed(entry, cause),
    );
  }
  try {
    const { running, next } = await queue.running.leave(entry);
    if (running < queue.maxRunningJobs && next === undefined) return;
    const oldest = next ?? (await oldestWaiting(jobs, ownerId));
    if (oldest !== undefined) await queue.send(oldest);
  } catch (cause) {
    onLeaveFailed(entry, cause);
  }
}

async function oldestWaiting(jobs: JobTable, ownerId: string): Promise<JobRef | undefined> {
  for (const queue of [undefined, longJobsQueue, batchJobsQueue] as const) {
    const [oldest] = await jobs.waiting({ ownerId, queue, limit: 1 });
    if (oldest !== undefined) return oldest;
  }
  return undefined;
}

export type CancelJobDeps = TerminateJobDeps & {
  parallel: Pick<ParallelStateMachine, 'stop'>;
  /** Undefined if the stage has no Fargate tasks. */
  fargateMachine?: Pick<FargateMachine, 'stop'> | undefined;
  /** Called if the execution cannot be stopped. Its tasks stop on their own once the job has ended. */
  onStopFailed: (ref: JobRef, cause: unknown) => void;
};

/**
 * Cancels an unfinished job. Writes again after a heartbeat changed the record.
 * @throws AppError JOB_NOT_CANCELLABLE after another end
 */
export function cancelUnfinished(deps: CancelJobDeps, found: Job): Promise<Job> {
  let job = found;
  return retryConflicts(async () => {
    if (job.state === 'cancelled') return job;
    if (job.state !== 'queued' && job.state !== 'processing') {
      throw new AppError('JOB_NOT_CANCELLABLE', `The job has already ended: it is ${job.state}.`);
    }
    if (job.publishing !== undefined) {
      throw new AppError(
        'JOB_NOT_CANCELLABLE',
        'The files of the job are being published at its storage provider: it can no longer be cancelled.',
      );
    }
    const unfinished = job;
    const result = await terminateJob(deps, unfinished, (termination) => cancel(unfinished, termination));
    if (result.written) {
      await stopExecution(deps, unfinished);
      return result.job;
    }
    job = visibleJob(result.current);
    return false;
  });
}

/** A task of the pool goes on with other jobs: its slot finds the job cancelled at its next heartbeat. */
async function stopExecution(
  { parallel, fargateMachine, onStopFailed }: CancelJobDeps,
  job: JobIn<'queued' | 'processing'>,
) {
  if (job.state !== 'processing') return;
  const { execution, delegation } = job;
  const stops = [execution && parallel.stop(execution.name), delegation && fargateMachine?.stop(delegation.execution)];
  await Promise.all(stops).catch((cause: unknown) => onStopFailed(job, cause));
}
