import { addMs, durations, maxAttempts } from './durations.ts';
import type { Guard, JobChange } from './guard.ts';
import { progressOf } from './progress-of.ts';
import type { Chunking, JobFailure, JobIn, JobRequestRecord, TerminalJob } from './record.ts';
import type { JobStage } from './states.ts';
import type { StoredFile } from './stored-file.ts';

/**
 * Everything that can happen to a job until it ends. Each function takes the record as it was read and returns the
 * next one with the guard under which it may be written; nothing else changes a job.
 */

/** What a terminal write fixes beside the state: whom to tell, and under which delivery. */
export type Termination = { now: Date; webhookTarget: string | null; deliveryId: string };

type Accepted = {
  ownerId: string;
  jobId: string;
  request: JobRequestRecord;
  retryOf?: string | undefined;
  /** When it was first asked for, where that was another time: its wait in the queue begins now all the same. */
  createdAt?: Date;
  now: Date;
};

/** Accepts a job: reconcile sends its message (again) if nobody has claimed it in time. */
export function create(accepted: Accepted): JobChange<JobIn<'queued'>> {
  const { ownerId, jobId, request, retryOf, now, createdAt = now } = accepted;
  const at = createdAt.toISOString();
  return {
    guard: { absent: true },
    job: {
      ownerId,
      jobId,
      request,
      ...(retryOf === undefined ? {} : { retryOf }),
      state: 'queued',
      stage: 'queued',
      progress: 0,
      attempt: 0,
      resends: 0,
      createdAt: at,
      updatedAt: at,
      queuedAt: now.toISOString(),
      dueAt: addMs(now, durations.resendAfterMs),
    },
  };
}

/** Takes a queued job for one worker, until its lease ends. */
export function claim(job: JobIn<'queued'>, leaseId: string, now: Date): JobChange<JobIn<'processing'>> {
  const { resends: _, queuedAt: __, ...rest } = job;
  const at = now.toISOString();
  return {
    guard: versionGuard(job),
    job: {
      ...rest,
      state: 'processing',
      stage: 'validating',
      attempt: job.attempt + 1,
      leaseId,
      startedAt: job.startedAt ?? at,
      claimedAt: at,
      updatedAt: at,
      dueAt: addMs(now, durations.leaseMs),
    },
  };
}

type News = {
  stage: JobStage;
  progress: number;
  estimatedEndAt?: string | undefined;
  chunking?: Chunking | undefined;
  now: Date;
};

/** Renews the lease and notes how far the work is, over the version that was read; progress stays below 100. */
export function heartbeat(
  job: JobIn<'processing'>,
  { stage, progress, estimatedEndAt, chunking, now }: News,
): JobChange<JobIn<'processing'>> {
  const { estimatedEndAt: _, ...rest } = job;
  return {
    guard: { leaseId: job.leaseId, dueAt: job.dueAt },
    job: {
      ...rest,
      ...defined({ estimatedEndAt }),
      ...(chunking === undefined ? {} : { chunking }),
      stage,
      progress: Math.max(job.progress, Math.min(99, Math.floor(progress))),
      updatedAt: now.toISOString(),
      dueAt: addMs(now, durations.leaseMs),
    },
  };
}

/** Sends a waiting job's message again later, each time after twice the wait. The caller sends it once this is written. */
export function resend(job: JobIn<'queued'>, now: Date): JobChange<JobIn<'queued'>> {
  const resends = job.resends + 1;
  const wait = Math.min(durations.resendAfterMs * 2 ** resends, durations.maxResendMs);
  return {
    guard: versionGuard(job),
    job: { ...job, resends, updatedAt: now.toISOString(), dueAt: addMs(now, wait) },
  };
}

/** Whether a job whose worker was lost may be tried again. */
export function mayRequeue(job: JobIn<'processing'>): boolean {
  return job.attempt < maxAttempts;
}

/** Puts a job whose lease has ended back into the queue. The caller sends its message once this is written. */
export function requeue(job: JobIn<'processing'>, now: Date): JobChange<JobIn<'queued'>> {
  const { leaseId, estimatedEndAt, execution, chunkProgress, progressVersion, chunking, ...rest } = job;
  const at = now.toISOString();
  return {
    guard: versionGuard(job),
    job: {
      ...rest,
      progress: progressOf(job),
      state: 'queued',
      stage: 'queued',
      resends: 0,
      queuedAt: at,
      updatedAt: at,
      dueAt: addMs(now, durations.resendAfterMs),
    },
  };
}

/** Ends a job with its files; only the worker that holds the lease can. */
export function complete(
  job: JobIn<'processing'>,
  result: {
    files: Record<string, StoredFile>;
    filesExpireAt: string;
    inputSizeBytes?: number;
    mediaSeconds?: number;
    measurements?: Record<string, number>;
  },
  ending: Termination,
): JobChange<JobIn<'completed'>> {
  return {
    guard: { leaseId: job.leaseId },
    job: {
      ...ended(job, ending, { leavesFiles: job.attempt > 1 }),
      state: 'completed',
      stage: 'done',
      progress: 100,
      ...result,
    },
  };
}

/** Ends a job that its worker could not finish: `rejected` refuses the input before any encoding. */
export function failOrReject(
  job: JobIn<'processing'>,
  outcome: { state: 'failed' | 'rejected'; error: JobFailure },
  ending: Termination,
): JobChange<JobIn<'failed' | 'rejected'>> {
  const leavesFiles = outcome.state === 'failed' || job.attempt > 1;
  return {
    guard: { leaseId: job.leaseId, ...overNotes(job) },
    job: { ...ended(job, ending, { leavesFiles }), ...outcome },
  };
}

/** Fails a job that has no live worker: its lease ended for the last time, or it waited too long. */
export function abandon(
  job: JobIn<'queued' | 'processing'>,
  error: JobFailure,
  ending: Termination,
): JobChange<JobIn<'failed'>> {
  return {
    guard: versionGuard(job),
    job: { ...ended(job, ending, { leavesFiles: true }), state: 'failed', error },
  };
}

/** Ends a job at its owner's wish; a worker notices at its next heartbeat. */
export function cancel(
  job: JobIn<'queued' | 'processing'>,
  ending: Termination,
): JobChange<JobIn<'cancelled'>> {
  return {
    guard: versionGuard(job),
    job: { ...ended(job, ending, { leavesFiles: true }), state: 'cancelled' },
  };
}

function ended(
  job: JobIn<'queued' | 'processing'>,
  { now, webhookTarget, deliveryId }: Termination,
  { leavesFiles }: { leavesFiles: boolean },
): Omit<TerminalJob, 'state' | 'files' | 'filesExpireAt' | 'error'> {
  const { ownerId, jobId, request, attempt, stage, createdAt, startedAt, claimedAt, retryOf } = job;
  const at = now.toISOString();
  return {
    ...defined({ startedAt, claimedAt, retryOf }),
    ...whenSwept(job, { leavesFiles, now }),
    ...('chunking' in job && job.chunking !== undefined ? { chunking: job.chunking } : {}),
    ownerId,
    jobId,
    request,
    attempt,
    progress: progressOf(job),
    stage,
    createdAt,
    updatedAt: at,
    completedAt: at,
    webhookTarget,
    pendingDelivery: { id: deliveryId, starts: 0, redelivery: false },
    dueAt: addMs(now, durations.deliveryStartMs),
  };
}

function defined<T extends Record<string, string | undefined>>(fields: T): { [K in keyof T]?: string } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: string;
  };
}

/** When nobody can write a file any more, where some may be left then: parts may have begun just now. */
function whenSwept(
  job: JobIn<'queued' | 'processing'>,
  { leavesFiles, now }: { leavesFiles: boolean; now: Date },
): { sweepAt?: string } {
  if (job.state === 'processing' && job.execution !== undefined) {
    return { sweepAt: addMs(now, durations.sweepAfterClaimMs) };
  }
  if (!leavesFiles || job.claimedAt === undefined) return {};
  return { sweepAt: addMs(new Date(job.claimedAt), durations.sweepAfterClaimMs) };
}

/** The guard for a write over exactly the version of an unfinished job that was read. */
export function versionGuard(job: JobIn<'queued' | 'processing'>): Guard {
  const { state, dueAt } = job;
  return { state, dueAt, ...(job.state === 'processing' ? overNotes(job) : {}) };
}

/** Notes of parts that came since must not be undone by what was read before them. */
function overNotes({ execution, progressVersion }: JobIn<'processing'>): { progressVersion?: number | null } {
  return execution === undefined ? {} : { progressVersion: progressVersion ?? null };
}
