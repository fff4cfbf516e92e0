import type { JobWarning } from '@media-jobs/video/media';
import type { ContentKey } from './content-key.ts';
import { addMs, durations, firstCheckOr } from './durations.ts';
import { functionUseOfStopped, functionUseUntil } from './function-use.ts';
import { type JobChange, progressGuard, versionGuard } from './guard.ts';
import type { CompletedSteps } from './job-result.ts';
import { addEvents, progressOf } from './progress.ts';
import type { JobIn, TerminalJob, Unpublished } from './record.ts';
import { withEnds } from './retention.ts';
import type { JobFailure } from './states.ts';
import type { StoredFile } from './stored-file.ts';

/**
 * The transitions that end a job. What follows is in `delivery-transitions.ts` and `removal-transitions.ts`.
 */

/** Fields of every terminal write: its time, the webhook's target and the id of the delivery. */
export type Termination = {
  now: Date;
  webhookTarget: string | null;
  deliveryId: string;
  /** Whether a copy of the source may exist that no other field of the job shows. */
  leavesCopy?: boolean;
};

/** Ends a job with its files. Only the worker that holds the lease can. */
export function complete(
  job: JobIn<'processing'>,
  result: {
    files: Record<string, StoredFile>;
    /** The end of the files for which the request states none. */
    filesExpireAt: string;
    inputSizeBytes?: number;
    mediaSeconds?: number;
    measurements?: Record<string, number>;
    warnings?: JobWarning[];
    publication?: string;
  },
  termination: Termination,
): JobChange<JobIn<'completed'>> {
  return {
    guard: { leaseId: job.leaseId },
    job: addEvents(
      {
        ...terminalFields(job, termination, {
          // The files of a completed step lie under an attempt, and some only later steps have read.
          leavesFiles: job.attempt > 1 || job.destination !== undefined || job.completedSteps !== undefined,
        }),
        state: 'completed',
        stage: 'done',
        progress: 100,
        ...result,
        ...withEnds(job.request, result, termination.now),
      },
      termination.now,
    ),
  };
}

/** Ends a job that its worker could not finish; `rejected` if its input was not acceptable, before any encoding. */
export function failOrReject(
  job: JobIn<'processing'>,
  outcome: { state: 'failed' | 'rejected'; error: JobFailure; unpublished?: Unpublished },
  termination: Termination,
): JobChange<JobIn<'failed' | 'rejected'>> {
  const leavesFiles = outcome.state === 'failed' || job.attempt > 1;
  return {
    guard: { leaseId: job.leaseId, ...progressGuard(job) },
    job: addEvents({ ...uncompletedFields(job, termination, { leavesFiles }), ...outcome }, termination.now),
  };
}

/** Fails a job that has no worker: its last lease has expired, or it was queued for too long. */
export function abandon(
  job: JobIn<'queued' | 'processing'>,
  error: JobFailure,
  termination: Termination,
): JobChange<JobIn<'failed'>> {
  return {
    guard: versionGuard(job),
    job: addEvents({ ...uncompletedFields(job, termination), state: 'failed', error }, termination.now),
  };
}

/** Cancels a job. Its worker stops at its next heartbeat. */
export function cancel(job: JobIn<'queued' | 'processing'>, termination: Termination): JobChange<JobIn<'cancelled'>> {
  return {
    guard: versionGuard(job),
    job: addEvents(
      {
        ...uncompletedFields(job, termination),
        functionUse: functionUseOfStopped(
          job,
          termination.now,
          functionUseUntil(job, new Date(addMs(termination.now, durations.heartbeatMs))),
        ),
        state: 'cancelled',
      },
      termination.now,
    ),
  };
}

/** Fields of an end without a result. Only such a job can be retried, so only it keeps its content key. */
function uncompletedFields(
  job: JobIn<'queued' | 'processing'>,
  termination: Termination,
  { leavesFiles } = { leavesFiles: true },
): ReturnType<typeof terminalFields> & {
  contentKey?: ContentKey | undefined;
  completedSteps?: CompletedSteps | undefined;
} {
  return {
    completedSteps: job.completedSteps,
    ...terminalFields(job, termination, { leavesFiles }),
    functionUse: functionUseOfStopped(job, termination.now),
    contentKey: job.contentKey,
  };
}

function terminalFields(
  job: JobIn<'queued' | 'processing'>,
  { now, webhookTarget, deliveryId, leavesCopy = false }: Termination,
  { leavesFiles }: { leavesFiles: boolean },
): Omit<TerminalJob, 'state' | 'files' | 'filesExpireAt' | 'error'> {
  const { ownerId, jobId, request, urlSecret, attempt, stage, createdAt } = job;
  const { events, startedAt, claimedAt, preset, retryOf, batch, destination, spendingCaps } = job;
  const { caller, authorKeyId, queue, stageMs } = job;
  const { minDeliveryStartMs, deliveryStartMs } = durations;
  const at = now.toISOString();
  return {
    ...{ ownerId, jobId, request, urlSecret, attempt, stage, createdAt },
    ...{ events, startedAt, claimedAt, stageMs, preset, retryOf, batch, destination, spendingCaps },
    ...{ caller, authorKeyId, queue },
    ...sweepTime(job, { leavesFiles: leavesFiles || leavesCopy, now }),
    chunking: 'chunking' in job ? job.chunking : undefined,
    workers: job.workers,
    functionUse: functionUseUntil(job, now),
    progress: progressOf(job),
    updatedAt: at,
    completedAt: at,
    webhookTarget,
    pendingDelivery: { id: deliveryId, starts: 0, redelivery: false },
    usageCounted: false,
    ...firstCheckOr(job, { now, minMs: minDeliveryStartMs, usualMs: deliveryStartMs }),
  };
}

/**
 * The time of the sweep, when no function can write a file any more. A chunk task may have begun just now, and a Fargate
 * task runs for hours but stops soon after the end, so the time counts from `now` if there is an execution.
 */
function sweepTime(
  job: JobIn<'queued' | 'processing'>,
  { leavesFiles, now }: { leavesFiles: boolean; now: Date },
): { sweepAt?: string } {
  if (job.state === 'processing' && (job.execution ?? job.delegation) !== undefined) {
    return { sweepAt: addMs(now, durations.sweepAfterClaimMs) };
  }
  if (!leavesFiles || job.claimedAt === undefined) return {};
  return { sweepAt: addMs(new Date(job.claimedAt), durations.sweepAfterClaimMs) };
}
