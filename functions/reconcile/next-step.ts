import { JobError } from '@media-jobs/video/errors';
import type { JobLogs } from '../../core/jobs/attempt-log.ts';
import type { ListedFiles, ParallelStateMachine } from '../../core/jobs/chunked-ports.ts';
import { beginLaterAttempt, listDelivery, resumeDelivery } from '../../core/jobs/delivery-transitions.ts';
import { isFirstCheck, isLaterAttemptDue } from '../../core/jobs/durations.ts';
import { isEconomy, leavesPoolAt, maxEconomyWaitMs } from '../../core/jobs/economy.ts';
import { extendExecutionCheck, requeueForNextStep } from '../../core/jobs/execution-transitions.ts';
import { blameOutput } from '../../core/jobs/failed-output.ts';
import type { JobChange } from '../../core/jobs/guard.ts';
import { keptPrefixes } from '../../core/jobs/kept-files.ts';
import type { MetadataIndex } from '../../core/jobs/metadata-index.ts';
import { jobFailure } from '../../core/jobs/outcome.ts';
import type {
  FargateMachine,
  MediaFiles,
  RemovalOptions,
  RemovalResult,
  TranscodeQueue,
} from '../../core/jobs/ports.ts';
import { isTerminal, type JobIn, type JobRecord, type TerminalJob } from '../../core/jobs/record.ts';
import {
  markEnded,
  markSwept,
  markTombstoneSwept,
  mayHaveActiveWriters,
  postponeForProvider,
} from '../../core/jobs/removal-transitions.ts';
import { endedPrefixes, removeFinished } from '../../core/jobs/retention.ts';
import { jobPath } from '../../core/jobs/stored-file.ts';
import { abandon } from '../../core/jobs/termination.ts';
import { becomeStandard, countedAttempts, mayRequeue, postpone, requeue, resend } from '../../core/jobs/transitions.ts';
import type { UsageCounters } from '../../core/jobs/usage-counter.ts';
import { wakeWorker } from '../../core/jobs/wake-worker.ts';
import { workPrefix } from '../../core/jobs/work-files.ts';
import {
  discardPublications,
  type ProviderRemovalResult,
  removeStoredFiles,
} from '../../core/publish/discard-publications.ts';
import { countUsage } from '../../core/spending/count-usage.ts';
import type { SpendingCounters } from '../../core/spending/spending-counter.ts';
import type { OpenObjectStore } from '../../core/storage/object-store.ts';
import {
  resolveWebhookTarget,
  startDelivery,
  type TerminateJobDeps,
  terminateJob,
} from '../../core/termination/terminate-job.ts';
import type { AttemptRef, DeliveryJournal, DeliveryRetries } from '../../core/webhooks/attempt.ts';
import { deliveryExecutionName } from '../../core/webhooks/delivery.ts';

export type ReconcileJobDeps = TerminateJobDeps & {
  queue: TranscodeQueue;
  parallel: Pick<ParallelStateMachine, 'isRunning'>;
  /** Undefined if the stage has no Fargate tasks. */
  fargateMachine?: Pick<FargateMachine, 'isRunning'> | undefined;
  journal: DeliveryJournal;
  retries: DeliveryRetries;
  logs: JobLogs;
  metadataIndex: Pick<MetadataIndex, 'remove'>;
  usage: UsageCounters;
  spending: SpendingCounters;
  files: ListedFiles & { removeAll: MediaFiles['removeAll'] };
  openObjectStore: OpenObjectStore;
  /** A job that was queued for longer fails. */
  maxQueueMs: number;
};

export type ReconcileStep =
  | 'resent'
  | 'requeued'
  /** It is a standard job from now on. */
  | 'left-pool'
  | 'timed-out'
  | 'still-running'
  /** Step Functions throttled the check of its execution. It stays due, so the next run begins with it. */
  | 'check-throttled'
  | 'worker-lost'
  | 'delivery-resumed'
  /** It is among the deliveries from now on. */
  | 'delivery-listed'
  /** A later attempt of an abandoned delivery has begun. */
  | 'delivery-attempted-later'
  | 'swept'
  /** More is left to remove; the next run continues. */
  | 'sweep-continues'
  /** The storage provider did not respond; a later run tries again. */
  | 'provider-unavailable'
  | 'not-due'
  /** The record has changed since it was read; the guard rejected the write. */
  | 'superseded';

/** Takes the next step of a due job, according to its state. A sweep stops at `until`. */
export function takeNextStep(deps: ReconcileJobDeps, job: JobRecord, until: Date): Promise<ReconcileStep> {
  if (job.state === 'queued') return resendQueued(deps, job);
  if (job.state === 'processing') return recoverLostWorker(deps, job);
  if (!isTerminal(job)) return sweepDeleted(deps, job, until);
  if (job.pendingDelivery !== undefined && isFirstCheck(job)) return listAsDelivery(deps, job);
  if (job.pendingDelivery !== undefined) return resumePendingDelivery(deps, job, job.pendingDelivery);
  if (isLaterAttemptDue(job)) return startLaterAttempt(deps, job);
  const now = deps.clock.now();
  if (job.state === 'completed' && job.removeAt !== undefined && job.removeAt <= now.toISOString()) {
    return removeEnded(deps, { job, now, until });
  }
  return sweepLostAttempts(deps, job, until);
}

/** Sends the message of a queued job again; fails the job if it was queued for too long. */
async function resendQueued(deps: ReconcileJobDeps, job: JobIn<'queued'>): Promise<ReconcileStep> {
  const now = deps.clock.now();
  const leavesPool = isEconomy(job) && leavesPoolAt(job) <= now.toISOString();
  if (leavesPool && job.request.finishBy !== undefined) return leavePool(deps, job, now);
  const isOver = isEconomy(job) ? leavesPool : now.getTime() - Date.parse(job.queuedAt) >= deps.maxQueueMs;
  if (isOver) {
    const hours = (isEconomy(job) ? maxEconomyWaitMs : deps.maxQueueMs) / 3_600_000;
    const message = `No worker took this job within ${hours} hours; the service may be overloaded. Retry it later.`;
    const failure = jobFailure(new JobError('TIMEOUT', message, { retryable: true }), job.stage);
    const { written } = await terminateJob(deps, job, (termination) => abandon(job, failure, termination));
    return written ? 'timed-out' : 'superseded';
  }
  const { written } = await deps.jobs.write(resend(job, now));
  if (!written) return 'superseded';
  await wakeWorker(deps.queue, job);
  return 'resent';
}

/** Has standard workers take an economy job that would not end by its `finishBy`. */
async function leavePool(deps: ReconcileJobDeps, job: JobIn<'queued'>, now: Date): Promise<ReconcileStep> {
  const change = becomeStandard(job, now);
  if (!(await deps.jobs.write(change)).written) return 'superseded';
  await wakeWorker(deps.queue, change.job);
  return 'left-pool';
}

/**
 * Requeues a job whose lease has expired. After its last attempt it fails, or goes on without the optional output that it
 * was making. If a job is delegated and its execution is
 * running, sets the time of the next check.
 */
async function recoverLostWorker(deps: ReconcileJobDeps, job: JobIn<'processing'>): Promise<ReconcileStep> {
  const isRunning = await isExecuted(deps, job);
  if (isRunning === undefined) return 'check-throttled';
  if (isRunning) {
    const { written } = await deps.jobs.write(extendExecutionCheck(job, deps.clock.now()));
    return written ? 'still-running' : 'superseded';
  }
  if (!mayRequeue(job)) {
    const message = `The worker stopped without an error in each of ${countedAttempts(job)} attempts, the last time while ${job.stage}.`;
    const { error, rest } = blameOutput(job, new JobError('WORKER_LOST', message));
    if (rest !== undefined) return requeueLost(deps, requeueForNextStep(job, rest, deps.clock.now()));
    const failure = jobFailure(error, job.stage);
    const { written } = await terminateJob(deps, job, (termination) => abandon(job, failure, termination));
    return written ? 'worker-lost' : 'superseded';
  }
  return requeueLost(deps, requeue(job, deps.clock.now()));
}

async function requeueLost(deps: ReconcileJobDeps, change: JobChange<JobIn<'queued'>>): Promise<ReconcileStep> {
  if (!(await deps.jobs.write(change)).written) return 'superseded';
  await wakeWorker(deps.queue, change.job);
  return 'requeued';
}

/**
 * Whether a running execution has the job; undefined if Step Functions throttles the call. A worker that has taken
 * the job over renews its lease itself: once that has expired, the worker is lost.
 */
async function isExecuted(
  { parallel, fargateMachine }: ReconcileJobDeps,
  { execution, delegation }: JobIn<'processing'>,
): Promise<boolean | undefined> {
  if (execution !== undefined) return parallel.isRunning(execution.name);
  if (delegation === undefined || delegation.hasStarted) return false;
  return fargateMachine === undefined ? false : fargateMachine.isRunning(delegation.execution);
}

async function listAsDelivery({ jobs, clock }: ReconcileJobDeps, job: TerminalJob): Promise<ReconcileStep> {
  const { written } = await jobs.write(listDelivery(job, clock.now()));
  return written ? 'delivery-listed' : 'superseded';
}

/**
 * Resumes a pending delivery after the last attempt in the journal. One that has not begun is sent to deliver-webhook
 * again; otherwise its execution was not started, or ended early, and another is started. deliver-webhook closes an
 * attempt without an outcome, and settles after the last.
 */
async function resumePendingDelivery(
  deps: ReconcileJobDeps,
  job: TerminalJob,
  pendingDelivery: { id: string; starts: number },
): Promise<ReconcileStep> {
  const ref = { ownerId: job.ownerId, jobId: job.jobId, deliveryId: pendingDelivery.id };
  const attempts = await deps.journal.list(ref);
  const change = resumeDelivery(job, deps.clock.now());
  const { written } = await deps.jobs.write(change);
  if (!written) return 'superseded';
  const attempt = (attempts.at(-1)?.attempt ?? 0) + 1;
  if (attempt === 1) await startDelivery(deps, change.job);
  else await startRetries(deps, { ...ref, attempt }, pendingDelivery.starts + 1);
  return 'delivery-resumed';
}

/** Makes a further attempt of an abandoned delivery, which has an id of its own. */
async function startLaterAttempt(deps: ReconcileJobDeps, job: TerminalJob): Promise<ReconcileStep> {
  const webhookTarget = await resolveWebhookTarget(deps, job);
  const change = beginLaterAttempt(job, {
    now: deps.clock.now(),
    webhookTarget,
    deliveryId: deps.newId(),
  });
  const { written } = await deps.jobs.write(change);
  if (!written) return 'superseded';
  await startDelivery(deps, change.job);
  return 'delivery-attempted-later';
}

/** Starts the state machine before this attempt. A failure is reported: the next run starts it again. */
async function startRetries(
  { retries, clock, onDeliveryStartFailed }: ReconcileJobDeps,
  ref: AttemptRef,
  starts: number,
): Promise<void> {
  const input = { ...ref, notBefore: clock.now().getTime(), waitSeconds: 0 };
  try {
    await retries.start({ name: deliveryExecutionName(ref.deliveryId, starts), input });
  } catch (cause) {
    onDeliveryStartFailed(ref, cause);
  }
}

/** The time for one sweep. A job with more to remove continues in the next run, after all others. */
const sweepBudgetMs = 5_000;

/**
 * Runs the removals of a sweep one after the other. What a storage provider has comes late, so that one that does not respond
 * delays little: only work files, which list it. The job is postponed first, so that a crash of the function, for
 * example by memory, does not leave it at the head of its shard.
 */
async function sweep<J extends TerminalJob | JobIn<'deleted'>>(
  { jobs, clock }: ReconcileJobDeps,
  { job, until, markSwept }: { job: J; until: Date; markSwept: (job: J) => JobChange },
  ...removals: ((options: RemovalOptions) => Promise<RemovalResult | ProviderRemovalResult>)[]
): Promise<ReconcileStep> {
  const begun = postpone(job, clock.now());
  if (!(await jobs.write(begun)).written) return 'superseded';
  const endsAt = Math.min(until.getTime(), clock.now().getTime() + sweepBudgetMs);
  const mayContinue = () => clock.now().getTime() < endsAt;
  for (const remove of removals) {
    const result = await remove({ mayContinue });
    if (result === 'incomplete') return 'sweep-continues';
    if (result === 'complete') continue;
    await jobs.write(postponeForProvider(begun.job, clock.now()));
    return 'provider-unavailable';
  }
  await jobs.write(markSwept(begun.job));
  return 'swept';
}

/** Removes the files of lost attempts and of repeated joins. It is due when none of their workers can write any more. */
function sweepLostAttempts(deps: ReconcileJobDeps, job: TerminalJob, until: Date): Promise<ReconcileStep> {
  const { jobId } = job;
  const now = deps.clock.now();
  const except = keptPrefixes(job, now);
  return sweep(
    deps,
    { job, until, markSwept: (swept) => markSwept(swept, now) },
    (options) => removeFinished(deps.files, jobPath(jobId), { except, ...options }),
    () => discardPublications(deps, job),
    (options) => deps.files.removeAll(workPrefix(jobId), options),
  );
}

/** Removes the files that the request of a job keeps for a time of their own, once that is over. */
function removeEnded(
  deps: ReconcileJobDeps,
  { job, now, until }: { job: JobIn<'completed'>; now: Date; until: Date },
): Promise<ReconcileStep> {
  const removals = endedPrefixes(job, now).map(
    (prefix) => (options: RemovalOptions) => deps.files.removeAll(prefix, options),
  );
  return sweep(deps, { job, until, markSwept: (swept) => markEnded(swept, now) }, ...removals);
}

/**
 * Subtracts the usage of a deleted job, removes its files and logs, and with the last sweep its delivery attempts.
 * Until then a delivery may be running, and the journal prevents a second POST of an attempt.
 */
function sweepDeleted(deps: ReconcileJobDeps, job: JobIn<'deleted'>, until: Date): Promise<ReconcileStep> {
  const now = deps.clock.now();
  return sweep(
    deps,
    { job, until, markSwept: (swept) => markTombstoneSwept(swept, now) },
    async () => {
      if (job.usage !== undefined) await countUsage(deps, job);
      return 'complete';
    },
    async () => {
      const { metadata } = job;
      if (metadata !== undefined) await deps.metadataIndex.remove({ ...job, metadata });
      return 'complete';
    },
    (options) => removeFinished(deps.files, jobPath(job.jobId), options),
    (options) => deps.logs.removeAll(job, options),
    async (options) => (mayHaveActiveWriters(job, now) ? 'complete' : deps.journal.removeAll(job, options)),
    () => removeStoredFiles(deps, job),
    () => discardPublications(deps, job),
    (options) => deps.files.removeAll(workPrefix(job.jobId), options),
  );
}
