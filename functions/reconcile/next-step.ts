import { JobError } from '@media-jobs/video/errors';
import { beginLaterAttempt, listDelivery, resumeDelivery } from '../../core/jobs/delivery-transitions.ts';
import { isLaterAttemptDue } from '../../core/jobs/durations.ts';
import { extendExecutionCheck, requeueForNextStep } from '../../core/jobs/execution-transitions.ts';
import { blameOutput } from '../../core/jobs/failed-output.ts';
import type { JobChange } from '../../core/jobs/guard.ts';
import { isEconomy, leavesPoolAt, maxEconomyWaitMs, wakeWorker } from '../../core/jobs/job-queue.ts';
import { jobFailure } from '../../core/jobs/job-result.ts';
import { isTerminal, type JobIn, type JobRecord, type TerminalJob } from '../../core/jobs/record.ts';
import { abandon } from '../../core/jobs/termination.ts';
import { becomeStandard, countedAttempts, mayRequeue, requeue, resend } from '../../core/jobs/transitions.ts';
import { resolveWebhookTarget, startDelivery, terminateJob } from '../../core/termination/terminate-job.ts';
import { type AttemptRef, deliveryExecutionName } from '../../core/webhooks/delivery.ts';
import type { ReconcileJobDeps, ReconcileStep } from './reconcile-job.ts';
import { removeEnded, sweepDeleted, sweepLostAttempts } from './sweep-files.ts';

/** Takes the next step of a due job, according to its state. A sweep stops at `until`. */
export function takeNextStep(deps: ReconcileJobDeps, job: JobRecord, until: Date): Promise<ReconcileStep> {
  if (job.state === 'queued') return resendQueued(deps, job);
  if (job.state === 'processing') return recoverLostWorker(deps, job);
  if (!isTerminal(job)) return sweepDeleted(deps, job, until);
  if (job.pendingDelivery !== undefined && job.isFirstCheck) return listAsDelivery(deps, job);
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
 * was making. If a job is delegated and its execution is running, sets the time of the next check.
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
  const change = beginLaterAttempt(job, { now: deps.clock.now(), webhookTarget, deliveryId: deps.newId() });
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
