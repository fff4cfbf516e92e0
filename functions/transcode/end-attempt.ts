import { delegationReason } from '@media-jobs/video/decide';
import { JobError } from '@media-jobs/video/errors';
import { isDiskFull } from '@media-jobs/video/media';
import { retryUntil } from '../../core/async.ts';
import { removeWorkFiles } from '../../core/chunked/chunk-runner.ts';
import {
  mayWaitForHost,
  requeueForHost,
  requeueForNextStep,
  requeueFromExecution,
} from '../../core/jobs/execution-transitions.ts';
import { blameOutput } from '../../core/jobs/failed-output.ts';
import type { JobChange } from '../../core/jobs/guard.ts';
import { leaveLimit, wakeWorker } from '../../core/jobs/job-queue.ts';
import type { JobResult } from '../../core/jobs/job-result.ts';
import { foldersOfSteps, keepsFilesOf } from '../../core/jobs/kept-files.ts';
import { failureOutcome, isOutage } from '../../core/jobs/outcome.ts';
import { limitedQueueOf, maxIndexLagSeconds } from '../../core/jobs/queues.ts';
import type { JobIn, TerminalJob } from '../../core/jobs/record.ts';
import { removeFinished, ruledEnd } from '../../core/jobs/retention.ts';
import { attemptPath } from '../../core/jobs/stored-file.ts';
import { complete, failOrReject, type Termination } from '../../core/jobs/termination.ts';
import { countedAttempts, leaveTask, mayRequeue, requeue, requeueForLongLimit } from '../../core/jobs/transitions.ts';
import { publishResult } from '../../core/publish/publish-result.ts';
import { UnpublishedError } from '../../core/publish/store-result.ts';
import { terminateJob, wasCompletedByAttempt } from '../../core/termination/terminate-job.ts';
import type { JobPorts } from '../../core/worker/ports.ts';
import { storeRunLog } from '../../core/worker/run-log.ts';
import { hasTasks } from '../../core/worker/worker-context.ts';
import type { Attempt, AttemptResult, Outcome } from './attempt.ts';
import { delegateToChunks, delegateToTask } from './delegate-job.ts';

/** The wait before the next attempt, in which an outage may end. */
const outageDelaySeconds = 30;

/**
 * Ends an attempt by its outcome: ends the job, delegates or requeues it, and removes what nobody needs any more. `lost`: the
 * job was cancelled, or another worker has it.
 */
export async function endAttempt(attempt: Attempt, outcome: Outcome): Promise<AttemptResult> {
  const { deps, lease, longLimit, record } = attempt;
  const job = await attempt.stop();
  const waits = outcome.kind === 'error' && longLimit?.isFull() === true;
  const ending: Outcome = waits ? { kind: 'waits-for-limit' } : outcome;
  if (ending.kind !== 'waits-for-limit') await storeRunLog(deps, job, record);
  const result = lease.signal.aborted ? 'lost' : await endAs(attempt, job, ending);
  // The write that ended the job, a cancel for example, may have come before this worker entered the limit or wrote its queue.
  const limited = limitedQueueOf(job);
  if (result === 'lost' && limited !== undefined && deps.kind === 'function')
    await leaveLimit(deps, job, limited).catch((cause: unknown) => deps.onUnexpected(job, cause));
  await removeLeftFiles(deps, job, { outcome, result });
  return result;
}

async function endAs(attempt: Attempt, job: JobIn<'processing'>, outcome: Outcome): Promise<AttemptResult> {
  const { deps } = attempt;
  switch (outcome.kind) {
    case 'finished':
      return completeJob(attempt, job, outcome.result);
    case 'uploaded':
      return publishResult(deps, job, outcome);
    case 'error':
      return outcome.isFailure
        ? failJob(attempt, job, outcome.error, 'transcoding')
        : endWithError(attempt, job, outcome.error);
    case 'chunks':
      return delegateToChunks(functionOf(attempt), job, outcome.plan);
    case 'task':
      return delegateToTask(functionOf(attempt), job, outcome.reason);
    case 'step-completed':
      return requeueJob(deps, job, {
        change: requeueForNextStep(job, { ...outcome.steps, chunking: job.chunking }, deps.clock.now()),
        delaySeconds: 0,
      });
    case 'leave-pool':
      return requeueJob(deps, job, {
        change: leaveTask(job, { isInterrupted: false, now: deps.clock.now() }),
        delaySeconds: 0,
      });
    case 'waits-for-limit': {
      // Delayed until the index lists the job: then the end of a long job that comes later finds it.
      const change = requeueForLongLimit(job, deps.clock.now());
      const result = await requeueJob(deps, job, { change, delaySeconds: maxIndexLagSeconds });
      return result === 'lost' ? 'lost' : outcome.kind;
    }
  }
}

/** The ports of a function, which alone leaves work to others. */
function functionOf({ deps }: Attempt) {
  if (deps.kind !== 'function') throw new TypeError('A task ends its job itself');
  return deps;
}

async function completeJob(
  { deps, record }: Attempt,
  job: JobIn<'processing'>,
  result: JobResult,
): Promise<'completed' | 'lost'> {
  const filesExpireAt = ruledEnd(job, deps.clock.now(), deps.retentionMs);
  const leavesCopy = record.copies.length > 0;
  const transition = (ending: Termination) => complete(job, { ...result, filesExpireAt }, { ...ending, leavesCopy });
  const end = await terminateJob(deps, job, transition, { until: new Date(job.dueAt) });
  return end.written || wasCompletedByAttempt(job, end.current) ? 'completed' : 'lost';
}

/** Ends an attempt after an error: by another attempt or worker if that may help, else the job fails or is rejected. */
async function endWithError(attempt: Attempt, job: JobIn<'processing'>, error: unknown): Promise<AttemptResult> {
  const { deps, stopped, context } = attempt;
  if (stopped?.aborted) return requeueStopped(attempt, job);
  if (isOutage(error) && mayRequeue(job)) {
    deps.onUnexpected(job, error);
    // Its worker is alive: the lease guards the write, not its expiry.
    const change = { ...requeue(job, deps.clock.now()), guard: { leaseId: job.leaseId } };
    return requeueJob(deps, job, { change, delaySeconds: outageDelaySeconds });
  }
  const isDeadlineOver = deps.clock.now() >= context.deadline;
  const reason = hasTasks(deps) ? whyTask(error, { job, isDeadlineOver }) : undefined;
  if (reason !== undefined) return delegateToTask(functionOf(attempt), job, reason);
  const lacksTime = (code: string) => code === 'INPUT_TOO_LONG' || (code === 'TIMEOUT' && isDeadlineOver);
  const isLate = error instanceof JobError && lacksTime(error.code);
  const next = isLate ? nextStepOf(job, { claimed: context.job, error, now: deps.clock.now() }) : undefined;
  if (next !== undefined) return requeueJob(deps, job, { change: next, delaySeconds: 0 });
  return (await waitForHost(deps, job, error)) ?? failJob(attempt, job, error);
}

/**
 * Requeues a job for whose steps its function had too little time: the next one has all of it for those that are left. If this
 * one has completed none of them, the job goes on without an optional output; undefined if it cannot.
 */
function nextStepOf(
  job: JobIn<'processing'>,
  { claimed, error, now }: { claimed: JobIn<'processing'>; error: JobError; now: Date },
): JobChange<JobIn<'queued'>> | undefined {
  const { attempts: _, ...done } = job.completedSteps ?? { attempts: 0, count: 0 };
  const isFurther = 'result' in done && done.count > (claimed.completedSteps?.count ?? 0);
  const left = isFurther ? done : blameOutput(job, error).rest;
  return left && requeueForNextStep(job, left, now);
}

/**
 * Why a task has to process a job after an error of its function; undefined if none helps. What the plan did not predict
 * counts: the function's time or disk was used up.
 */
function whyTask(
  error: unknown,
  { job: { chunking }, isDeadlineOver }: { job: JobIn<'processing'>; isDeadlineOver: boolean },
): string | undefined {
  const isTimeout = error instanceof JobError && error.code === 'TIMEOUT' && isDeadlineOver;
  if (!isTimeout && !isDiskFull(error)) return undefined;
  const excess = isTimeout ? "it took longer than a function's time" : "its files do not fit on a function's disk";
  return delegationReason(excess, chunking?.chunks === 1 ? `${chunking.reason}. ` : '');
}

async function failJob(
  { deps, lease, record }: Attempt,
  job: JobIn<'processing'>,
  error: unknown,
  stage = lease.stage(),
): Promise<TerminalJob['state'] | 'lost'> {
  const outcome = failureOutcome(error, stage);
  // The owner does not read the cause of an error of the service: the operator finds it in the log.
  if (!(error instanceof JobError) || outcome.error.code === 'INTERNAL_ERROR') deps.onUnexpected(job, error);
  const { unpublished } = error instanceof UnpublishedError ? error : {};
  const failure = unpublished === undefined ? outcome : { ...outcome, unpublished };
  const leavesCopy = record.copies.length > 0;
  const transition = (ending: Termination) => failOrReject(job, failure, { ...ending, leavesCopy });
  const end = await terminateJob(deps, job, transition, { until: new Date(job.dueAt) });
  return end.written || keepsFilesOf(job, end.current) ? outcome.state : 'lost';
}

/** A task that is stopped requeues its job at once. One that is killed leaves that to reconcile. */
async function requeueStopped(
  attempt: Attempt,
  job: JobIn<'processing'>,
): Promise<TerminalJob['state'] | 'requeued' | 'lost'> {
  const { deps } = attempt;
  if (job.pool !== undefined) {
    const change = leaveTask(job, { isInterrupted: true, now: deps.clock.now() });
    return requeueJob(deps, job, { change, delaySeconds: 0 });
  }
  if (mayRequeue(job)) {
    const change = requeueFromExecution(job, deps.clock.now());
    return requeueJob(deps, job, { change, delaySeconds: 0 });
  }
  const message = `The Fargate task was stopped in the last of ${countedAttempts(job)} attempts, while ${job.stage}.`;
  const { error, rest } = blameOutput(job, new JobError('WORKER_LOST', message));
  if (rest === undefined) return failJob(attempt, job, error, job.stage);
  return requeueJob(deps, job, { change: requeueForNextStep(job, rest, deps.clock.now()), delaySeconds: 0 });
}

/**
 * Requeues a job whose source is at a host that asked to come back later (`Retry-After`), so that no worker waits. Returns
 * undefined after any other error, and once the job has waited often enough: then it ends with that error.
 */
async function waitForHost(
  deps: JobPorts,
  job: JobIn<'processing'>,
  error: unknown,
): Promise<'requeued' | 'lost' | undefined> {
  const retryAfterMs = error instanceof JobError ? error.retryAfterMs : undefined;
  if (retryAfterMs === undefined || !mayWaitForHost(job, retryAfterMs)) return undefined;
  const now = deps.clock.now();
  const change = requeueForHost(job, { retryAfterMs, now });
  const { notBefore = '' } = change.job;
  // A whole second more: the message must not come before the time.
  const delaySeconds = Math.ceil((Date.parse(notBefore) - now.getTime()) / 1_000) + 1;
  return requeueJob(deps, job, { change, delaySeconds });
}

/** Whether an attempt with this result has stored files that nobody needs. */
const leavesFiles = {
  completed: false,
  rejected: false,
  cancelled: false,
  delegated: false,
  failed: true,
  lost: true,
  requeued: true,
  'waits-for-limit': true,
} as const satisfies Record<AttemptResult, boolean>;

/** Removes what an attempt leaves and nobody needs. Reconcile's sweep removes what an error leaves behind. */
async function removeLeftFiles(
  deps: JobPorts,
  job: JobIn<'processing'>,
  { outcome, result }: { outcome: Outcome; result: AttemptResult },
): Promise<void> {
  if (leavesFiles[result] && !keepsFiles(outcome, result)) {
    const steps = outcome.kind === 'step-completed' ? outcome.steps : job.completedSteps;
    const except = foldersOfSteps(job, steps);
    await removeFinished(deps.files, attemptPath(job), { except }).catch((cause) => deps.onUnexpected(job, cause));
    await removeWorkFiles(deps, job);
  }
  // An earlier attempt may have left chunks, and a task of the pool leaves those that it has joined.
  else if (result !== 'delegated' && (job.attempt > 1 || job.pool !== undefined)) await removeWorkFiles(deps, job);
}

/** Whether files of an attempt stay: they are published, or wait for a retry. */
function keepsFiles(outcome: Outcome, result: AttemptResult): boolean {
  if (outcome.kind === 'uploaded') return true;
  return outcome.kind === 'error' && outcome.error instanceof UnpublishedError && result === 'failed';
}

/** SQS delays no message for longer. Reconcile sends that of a job that waits longer. */
const maxDelaySeconds = 900;

/**
 * Requeues a job under the lease of its worker and sends its message after a delay. If no message is sent, reconcile sends
 * it. `lost`: the worker does not hold the lease any more.
 */
async function requeueJob(
  { jobs, queue, clock, onUnexpected }: JobPorts,
  job: JobIn<'processing'>,
  { change, delaySeconds }: { change: JobChange<JobIn<'queued'>>; delaySeconds: number },
): Promise<'requeued' | 'lost'> {
  const { written } = await retryUntil(clock, new Date(job.dueAt), () => jobs.write(change));
  if (!written) return 'lost';
  if (delaySeconds <= maxDelaySeconds)
    await wakeWorker(queue, change.job, { delaySeconds }).catch((cause: unknown) => onUnexpected(job, cause));
  return 'requeued';
}
