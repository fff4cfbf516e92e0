import type { SpendingCap } from '../access/owner-limits.ts';
import type { ContentKey } from './content-key.ts';
import { addMs, dueIn, durations, firstCheckOr, maxAttempts } from './durations.ts';
import { functionUseOfStopped, leaseMsOf } from './function-use.ts';
import { type JobChange, leaseGuard, versionGuard } from './guard.ts';
import { firstQueueOf, isEconomy, leavesPoolAt, standardQueueOf } from './job-queue.ts';
import type { CompletedSteps, StepsInBucket } from './job-result.ts';
import { addEvents, progressOf } from './progress.ts';
import { longJobsQueue, type PoolCapacity } from './queues.ts';
import type { JobIn, JobRecord, Unpublished } from './record.ts';
import type { JobRequestRecord } from './request-record.ts';
import type { Destination } from './stored-file.ts';

/**
 * The transitions of an unfinished job. Those of a job that another worker or a storage provider has, or that waits for the
 * host of a source, are in `execution-transitions.ts`, those that end it in `termination.ts`. Each takes the record that was
 * read and returns the next record with the guard under which it may be written.
 */

type AcceptedJob = {
  ownerId: string;
  jobId: string;
  request: JobRequestRecord;
  preset?: string | undefined;
  urlSecret: string;
  retryOf?: string | undefined;
  batch?: JobIn<'queued'>['batch'];
  destination?: Destination | undefined;
  unpublished?: Unpublished | undefined;
  completedSteps?: CompletedSteps | undefined;
  contentKey?: ContentKey | undefined;
  spendingCaps?: readonly SpendingCap[];
  caller?: string;
  authorKeyId?: string | undefined;
  /** The time of the first request, for a replay. `queuedAt` is `now` in any case. */
  createdAt?: Date;
  now: Date;
};

/** Accepts a job. If no worker claims it in time, reconcile sends its message again. */
export function create({
  spendingCaps = [],
  now,
  createdAt = now,
  ...accepted
}: AcceptedJob): JobChange<JobIn<'queued'>> {
  const at = createdAt.toISOString();
  return {
    guard: { absent: true },
    job: addEvents(
      {
        ...accepted,
        ...firstQueueOf(accepted.request, accepted),
        spendingCaps: spendingCaps.length === 0 ? undefined : [...spendingCaps],
        state: 'queued',
        stage: 'queued',
        progress: 0,
        attempt: 0,
        resends: 0,
        createdAt: at,
        updatedAt: at,
        queuedAt: now.toISOString(),
        dueAt: addMs(now, durations.resendAfterMs),
        isFirstCheck: true,
      },
      createdAt,
    ),
  };
}

/**
 * Claims a queued job for one worker, under a new lease. The lease of a new job may end at its first check, see `firstCheckOr`.
 *
 * @param pool of a task of the pool, its capacity
 */
export function claim(
  job: JobIn<'queued'>,
  leaseId: string,
  now: Date,
  pool?: PoolCapacity,
): JobChange<JobIn<'processing'>> {
  const { resends: _, queuedAt: __, notBefore: ___, ...rest } = job;
  const at = now.toISOString();
  const usualMs = leaseMsOf({ pool });
  return {
    guard: versionGuard(job),
    job: addEvents(
      {
        ...rest,
        ...(pool && { pool }),
        state: 'processing',
        stage: 'validating',
        ...(job.completedSteps?.chunking && { chunking: job.completedSteps.chunking }),
        attempt: job.attempt + 1,
        leaseId,
        startedAt: job.startedAt ?? at,
        claimedAt: at,
        updatedAt: at,
        ...firstCheckOr(job, { now, minMs: usualMs / 2, usualMs }),
      },
      now,
    ),
  };
}

/** The progress that the next heartbeat writes. */
export type PendingProgress = Pick<
  JobIn<'processing'>,
  'stage' | 'progress' | 'estimatedEndAt' | 'chunking' | 'workers' | 'queue'
> & { shares?: readonly number[] | undefined; completedSteps?: StepsInBucket | undefined };

type HeartbeatProgress = PendingProgress & { now: Date };

/**
 * Records progress, if the record has not changed since the read. Progress stays below 100. Renews the lease once less than
 * half of it is left. Until then `dueAt` stays, so the index of due jobs needs no write.
 */
export function heartbeat(
  job: JobIn<'processing'>,
  { stage, progress, estimatedEndAt, chunking, workers, queue, shares, completedSteps, now }: HeartbeatProgress,
): JobChange<JobIn<'processing'>> {
  return {
    guard: leaseGuard(job),
    job: addEvents(
      {
        ...addCompletedSteps(job, completedSteps),
        ...(shares === undefined ? {} : { shares: [...shares] }),
        estimatedEndAt,
        ...(queue === undefined ? {} : { queue }),
        ...(chunking === undefined ? {} : { chunking }),
        ...(workers === undefined ? {} : { workers }),
        stage,
        progress: Math.max(job.progress, Math.min(99, Math.floor(progress))),
        updatedAt: now.toISOString(),
        ...(needsRenewal(job, now) ? dueIn(now, leaseMsOf(job)) : {}),
      },
      now,
    ),
  };
}

/**
 * Records the steps that are completed. If this attempt has completed one, the attempts before it do not count as failed any
 * more.
 */
export function addCompletedSteps(job: JobIn<'processing'>, steps: StepsInBucket | undefined): JobIn<'processing'> {
  if (steps === undefined) return job;
  const { attempt, completedSteps: { count, attempts, chunking } = { count: 0, attempts: 0 } } = job;
  if (steps.count === count) return { ...job, completedSteps: { ...steps, attempts, chunking } };
  // The reason was that of a step that is completed now.
  const { singlePassReason: _, interruptions: __, ...rest } = job;
  return { ...rest, completedSteps: { ...steps, attempts: attempt - 1, chunking } };
}

/** Whether less than half of the lease is left. */
export function needsRenewal(job: JobIn<'processing'>, now: Date): boolean {
  return job.dueAt < addMs(now, leaseMsOf(job) / 2);
}

/** Doubles the wait until a queued job's message is sent again. The caller sends the message after this is written. */
export function resend(job: JobIn<'queued'>, now: Date): JobChange<JobIn<'queued'>> {
  const { notBefore: _, ...rest } = job;
  const resends = job.resends + 1;
  const wait = Math.min(durations.resendAfterMs * 2 ** resends, durations.maxResendMs);
  const leaves = isEconomy(job) ? [leavesPoolAt(job)] : [];
  const [dueAt = ''] = [addMs(now, wait), ...leaves].toSorted();
  return {
    guard: versionGuard(job),
    job: { ...rest, resends, updatedAt: now.toISOString(), dueAt, isFirstCheck: undefined },
  };
}

/** Turns an economy job that the pool has not taken into a standard one. The caller sends its message after this is written. */
export function becomeStandard(job: JobIn<'queued'>, now: Date): JobChange<JobIn<'queued'>> {
  const { queue: _, ...rest } = job;
  const at = now.toISOString();
  return {
    guard: versionGuard(job),
    job: {
      ...rest,
      ...standardQueueOf(rest),
      resends: 0,
      queuedAt: at,
      updatedAt: at,
      ...dueIn(now, durations.resendAfterMs),
    },
  };
}

/** Attempts until now that failed or were lost, the current one included. One that completed a step, had to wait or was interrupted is none. */
export function countedAttempts({
  attempt,
  hasWaitedForLimit,
  hostWaits = 0,
  interruptions = 0,
  completedSteps,
}: Pick<
  JobIn<'processing'>,
  'attempt' | 'hasWaitedForLimit' | 'hostWaits' | 'interruptions' | 'completedSteps'
>): number {
  return attempt - (hasWaitedForLimit ? 1 : 0) - hostWaits - interruptions - (completedSteps?.attempts ?? 0);
}

/** Whether a job whose attempt failed or was lost has another attempt. */
export function mayRequeue(job: JobIn<'processing'>): boolean {
  return countedAttempts(job) < maxAttempts;
}

/** Requeues a job whose lease has expired. The caller sends the message after this is written. */
export function requeue(job: JobIn<'processing'>, now: Date): JobChange<JobIn<'queued'>> {
  const {
    leaseId,
    estimatedEndAt,
    execution,
    delegation,
    chunkProgress,
    taskMs,
    taskBeats,
    progressVersion,
    chunking,
    costLimitUsd,
    filesUsd,
    pool,
    ...rest
  } = job;
  const at = now.toISOString();
  return {
    guard: versionGuard(job),
    job: addEvents(
      {
        // A delegated job is in no queue.
        ...standardQueueOf(job),
        ...rest,
        functionUse: functionUseOfStopped(job, now),
        progress: progressOf(job),
        state: 'queued',
        stage: 'queued',
        resends: 0,
        queuedAt: at,
        updatedAt: at,
        ...dueIn(now, durations.resendAfterMs),
      },
      now,
    ),
  };
}

/**
 * Requeues a job that is long while as many long jobs run as may run. The caller sends the message after this is
 * written.
 */
export function requeueForLongLimit(job: JobIn<'processing'>, now: Date): JobChange<JobIn<'queued'>> {
  const change = requeue(job, now);
  return { guard: { leaseId: job.leaseId }, job: { ...change.job, queue: longJobsQueue, hasWaitedForLimit: true } };
}

/** Requeues the job of a task of the pool that is stopped: for the pool, or as a standard job. */
export function leaveTask(
  job: JobIn<'processing'>,
  { isInterrupted, now }: { isInterrupted: boolean; now: Date },
): JobChange<JobIn<'queued'>> {
  const { queue, ...requeued } = requeue(job, now).job;
  const interruptions = (job.interruptions ?? 0) + 1;
  const next = isInterrupted ? { queue } : standardQueueOf(requeued);
  return { guard: { leaseId: job.leaseId }, job: { ...requeued, interruptions, ...next } };
}

/** Delays a due job, so that other due jobs come first. Nothing else changes. */
export function postpone<J extends JobRecord>(job: J, now: Date): JobChange<J> {
  const isUnfinished = job.state === 'queued' || job.state === 'processing';
  return {
    guard: isUnfinished ? versionGuard(job) : { state: job.state, dueAt: job.dueAt ?? null },
    job: { ...job, ...dueIn(now, durations.postponeMs) },
  };
}
