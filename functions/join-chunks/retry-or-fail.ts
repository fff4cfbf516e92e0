import { JobError } from '@media-jobs/video/errors';
import { retryConflicts } from '../../core/async.ts';
import type { JoinChunksInput } from '../../core/chunked/run-task-message.ts';
import { maxAttempts } from '../../core/jobs/durations.ts';
import {
  requeueForNextStep,
  requeueForSinglePass,
  requeueFromExecution,
} from '../../core/jobs/execution-transitions.ts';
import { blameOutput } from '../../core/jobs/failed-output.ts';
import type { JobChange } from '../../core/jobs/guard.ts';
import { jobFailure, type StepsInBucket } from '../../core/jobs/job-result.ts';
import type { TranscodeQueue } from '../../core/jobs/ports.ts';
import { holdsLease, type JobIn, type TerminalJob } from '../../core/jobs/record.ts';
import { failOrReject } from '../../core/jobs/termination.ts';
import { countedAttempts, mayRequeue } from '../../core/jobs/transitions.ts';
import { findExceededCost } from '../../core/pricing/cost-limit.ts';
import { publishResult } from '../../core/publish/publish-result.ts';
import type { UnpublishedError } from '../../core/publish/store-result.ts';
import { type TerminateJobDeps, terminateJob } from '../../core/termination/terminate-job.ts';
import type { StoringPorts } from '../../core/worker/ports.ts';
import type { FailureReasons } from './chunk-results.ts';

export type RetryDeps = TerminateJobDeps & StoringPorts & { queue: TranscodeQueue };

/**
 * Requeues a job that could not be encoded in chunks, or fails it after its last attempt or once it has reached its
 * maximum cost. After a permanent failure the next attempt is a single pass. Otherwise the service failed, or the source could
 * not be read, so the second attempt is in chunks again; the last one is a single pass.
 */
export function retryOrFail(
  deps: RetryDeps,
  task: JoinChunksInput,
  reasons: FailureReasons,
): Promise<'requeued' | TerminalJob['state'] | 'lost'> {
  return endUnlessPublishing(deps, task, {
    async end(job) {
      const exceeded = findExceededCost(job, deps.money.stage, deps.clock.now());
      const isRetry = exceeded === undefined && mayRequeue(job);
      if (!isRetry) return failOrGoOn(deps, job, exceeded ?? chunkingFailed(reasons));
      return requeue(deps, nextAttempt(job, reasons, deps.clock.now()));
    },
  });
}

/** Requeues a job whose step is completed for the next one, unless it has reached its maximum cost. */
export function requeueOrFailForNextStep(
  deps: RetryDeps,
  task: JoinChunksInput,
  steps: StepsInBucket,
): Promise<'requeued' | TerminalJob['state'] | 'lost'> {
  return endUnlessPublishing(deps, task, {
    async end(job) {
      const now = deps.clock.now();
      const exceeded = findExceededCost(job, deps.money.stage, now);
      if (exceeded !== undefined) return failOrGoOn(deps, job, exceeded);
      return requeue(deps, requeueForNextStep(job, { ...steps, chunking: job.chunking }, now));
    },
  });
}

/** Fails a job whose encoded files its storage provider did not take. */
export function failUnpublished(
  deps: RetryDeps,
  task: JoinChunksInput,
  cause: UnpublishedError,
): Promise<TerminalJob['state'] | 'lost'> {
  const { unpublished } = cause;
  return endUnlessPublishing(deps, task, {
    unpublished,
    end: (job) => fail(deps, job, { error: jobFailure(cause, 'uploading'), unpublished }),
  });
}

/** Fails a job for which another attempt would be no better, unless only an optional output fails. */
export function failWith(
  deps: RetryDeps,
  task: JoinChunksInput,
  cause: JobError,
): Promise<'requeued' | TerminalJob['state'] | 'lost'> {
  return endUnlessPublishing(deps, task, { end: (job) => failOrGoOn(deps, job, cause) });
}

/**
 * Calls `end` until its write succeeds: a function of the execution may still record progress. If another join of the
 * attempt has begun to publish, its publication is completed instead: some of its files may be visible, and all of their
 * bytes are at the provider.
 */
async function endUnlessPublishing<Ended>(
  deps: RetryDeps,
  task: JoinChunksInput,
  {
    end,
    unpublished,
  }: { end: (job: JobIn<'processing'>) => Promise<Ended | false>; unpublished?: UnpublishedError['unpublished'] },
): Promise<Ended | 'completed' | 'failed' | 'lost'> {
  return retryConflicts(async () => {
    const job = await deps.jobs.get(task);
    if (!holdsLease(task.leaseId, job)) return 'lost';
    if (job.publishing !== undefined) return publishResult(deps, task, { publicationKey: job.publishing, unpublished });
    return end(job);
  });
}

async function requeue({ jobs, queue }: RetryDeps, change: JobChange): Promise<'requeued' | false> {
  const { written } = await jobs.write(change);
  if (written) await queue.send(change.job);
  return written && 'requeued';
}

function nextAttempt(job: JobIn<'processing'>, reasons: FailureReasons, now: Date): JobChange {
  const isChunkedAgain = reasons.permanent === undefined && countedAttempts(job) + 1 < maxAttempts;
  return isChunkedAgain ? requeueFromExecution(job, now) : requeueForSinglePass(job, reasonOf(reasons), now);
}

function reasonOf({ permanent, transient }: FailureReasons): string {
  return permanent ?? transient ?? 'the service failed while it encoded or joined the chunks';
}

function chunkingFailed(reasons: FailureReasons): JobError {
  const message = `The video could not be encoded in chunks: ${reasonOf(reasons)}`;
  return new JobError('TRANSCODE_ERROR', message, { retryable: true });
}

/** Fails a job with the error of its step in chunks. If that is an optional output, the job goes on without it. */
async function failOrGoOn(
  deps: RetryDeps,
  job: JobIn<'processing'>,
  cause: JobError,
): Promise<'requeued' | 'failed' | false> {
  const { error, rest } = blameOutput(job, cause);
  if (rest !== undefined) return requeue(deps, requeueForNextStep(job, rest, deps.clock.now()));
  return fail(deps, job, { error: jobFailure(error, job.stage) });
}

async function fail(
  deps: RetryDeps,
  job: JobIn<'processing'>,
  failure: Omit<Parameters<typeof failOrReject>[1], 'state'>,
): Promise<'failed' | false> {
  const failed = { state: 'failed' as const, ...failure };
  const { written } = await terminateJob(deps, job, (ending) => failOrReject(job, failed, ending));
  return written && 'failed';
}
