import type { DeliveredAttempt } from './attempt-outcome.ts';
import { addMs, durations } from './durations.ts';
import type { JobChange } from './guard.ts';
import { publicationMark, publicationOrder } from './publication.ts';
import type { JobIn, StoredFilesToRemove, TerminalJob } from './record.ts';
import { filenameOf } from './stored-file.ts';
import { usageOf } from './usage.ts';

/**
 * The transitions of an ended job: delivery and redelivery of its terminal event, sweep of the files of failed attempts,
 * deletion.
 */

/**
 * Whether an attempt, the wait after it and the start of the next one fit into the time before reconcile resumes the
 * delivery. The first attempt after a job's end is so early that its record needs no write.
 */
export function isEarlyAttempt(
  { dueAt = '' }: TerminalJob,
  { nextDelayMs, now }: { nextDelayMs: number; now: Date },
): boolean {
  return addMs(now, durations.maxAttemptMs + nextDelayMs) <= dueAt;
}

/** Records that a delivery attempt begins. Reconcile resumes the delivery only after the next attempt had time to end. */
export function recordDeliveryAttempt(
  job: TerminalJob,
  { deliveryId, nextDelayMs, now }: { deliveryId: string; nextDelayMs: number; now: Date },
): JobChange<TerminalJob> {
  return {
    guard: { deliveryId, dueAt: job.dueAt ?? null },
    job: { ...job, dueAt: addMs(now, durations.deliveryAttemptMs + nextDelayMs) },
  };
}

/**
 * Defers a delivery that has not begun: reconcile starts it. Each start doubles the wait, so that thousands of deferred
 * deliveries are not started again and again. The caller has counted the job's usage.
 */
export function deferDelivery(
  job: TerminalJob,
  { deliveryId, now }: { deliveryId: string; now: Date },
): JobChange<TerminalJob> {
  const starts = job.pendingDelivery?.starts ?? 0;
  const wait = Math.min(durations.deliveryDeferMs * 2 ** starts, durations.maxDeliveryDeferMs);
  return {
    guard: { deliveryId, dueAt: job.dueAt ?? null },
    job: { ...countedUsage(job), dueAt: addMs(now, wait) },
  };
}

/**
 * Ends the pending delivery: a 2xx was recorded, the last attempt failed, or the job has no webhook target. The caller has
 * counted the job's usage.
 */
export function settleDelivery(
  job: TerminalJob,
  deliveryId: string,
  deliveryOutcome: 'delivered' | 'abandoned' | 'none',
): JobChange<TerminalJob> {
  const { pendingDelivery: _, dueAt: __, ...rest } = countedUsage(job);
  return { guard: { deliveryId }, job: { ...rest, deliveryOutcome, ...dueForSweep(job) } };
}

/**
 * Ends the pending delivery and records its 2xx in the same write. The guard requires the `dueAt` of the attempt. Reconcile
 * moves `dueAt` before it starts a further attempt, so none has begun. The caller has counted the job's usage.
 */
export function settleDelivered(
  job: TerminalJob,
  deliveredAttempt: DeliveredAttempt,
): JobChange<TerminalJob> {
  const { deliveryId } = deliveredAttempt;
  const settled = settleDelivery(job, deliveryId, 'delivered');
  return {
    guard: { deliveryId, dueAt: job.dueAt ?? null },
    job: { ...settled.job, deliveredAttempt },
  };
}

/**
 * Lists a delivery among those that are due now. Until then it was listed at the first check of its job, among waiting
 * jobs, whose recovery thousands of deliveries must not delay.
 */
export function listDelivery(job: TerminalJob, now: Date): JobChange<TerminalJob> {
  return {
    guard: { state: job.state, dueAt: job.dueAt ?? null },
    job: { ...job, dueAt: now.toISOString() },
  };
}

/**
 * Counts another start of the pending delivery's state machine. The caller starts the execution under that number after
 * this is written. While starts keep failing, the waits double.
 */
export function resumeDelivery(job: TerminalJob, now: Date): JobChange<TerminalJob> {
  if (job.pendingDelivery === undefined)
    throw new Error(`Job ${job.jobId} has no pending delivery to resume`);
  const { starts } = job.pendingDelivery;
  const wait = Math.min(durations.deliveryAttemptMs * 2 ** starts, durations.maxDeliveryResumeMs);
  return {
    guard: { state: job.state, dueAt: job.dueAt ?? null },
    job: {
      ...job,
      pendingDelivery: { ...job.pendingDelivery, starts: starts + 1 },
      dueAt: addMs(now, wait),
    },
  };
}

/**
 * Delivers the terminal event again, to the current target. The guard requires that no delivery is pending. Exception: the
 * first delivery of a job that ended without a target is replaced, so that its event is still published once. Counts the
 * redelivery in the same write.
 */
export function redeliver(
  job: TerminalJob,
  { now, webhookTarget, deliveryId }: { now: Date; webhookTarget: string; deliveryId: string },
): JobChange<TerminalJob> {
  const { state, dueAt, pendingDelivery: pending } = job;
  return {
    guard:
      pending === undefined ? { state, dueAt: dueAt ?? null, deliveryId: null } : { deliveryId: pending.id },
    job: {
      ...job,
      webhookTarget,
      redeliveries: (job.redeliveries ?? 0) + 1,
      pendingDelivery: { id: deliveryId, starts: 0, redelivery: pending?.redelivery ?? true },
      dueAt: addMs(now, durations.deliveryStartMs),
    },
  };
}

/** Records that the files of all attempts but the completed one are removed. */
export function markSwept(job: TerminalJob): JobChange<TerminalJob> {
  const { sweepAt: _, dueAt: __, ...rest } = job;
  return { guard: { state: job.state, dueAt: job.dueAt ?? null }, job: rest };
}

/**
 * Replaces a job with a tombstone. Reconcile removes the files and logs at once, and everything again when no worker and
 * no delivery that began before the deletion can be running.
 *
 * @param storedFiles the files at the job's storage provider, if they are to be removed too
 */
export function deleteJob(
  job: TerminalJob,
  now: Date,
  storedFiles?: StoredFilesToRemove,
): JobChange<JobIn<'deleted'>> {
  const workersEndMs = Date.parse(
    job.sweepAt ?? addMs(new Date(job.claimedAt ?? job.createdAt), durations.sweepAfterClaimMs),
  );
  const deliveriesEndMs = now.getTime() + durations.sweepAfterDeleteMs;
  return {
    // Not over a write that has counted the job's usage.
    guard: { state: job.state, dueAt: job.dueAt ?? null },
    job: {
      ownerId: job.ownerId,
      jobId: job.jobId,
      state: 'deleted',
      destination: job.destination,
      ...(job.state === 'completed' && job.publication !== undefined ? { publication: job.publication } : {}),
      storedFiles,
      // Jobs of earlier versions were not counted.
      ...(job.usageCounted === undefined ? {} : { usage: usageOf(job), usageCounted: job.usageCounted }),
      spendingCaps: job.spendingCaps,
      deletedAt: now.toISOString(),
      sweepAt: new Date(Math.max(workersEndMs, deliveriesEndMs)).toISOString(),
      dueAt: now.toISOString(),
      expiresAt: Math.ceil((now.getTime() + durations.tombstoneMs) / 1000),
    },
  };
}

/** The files of a job at its storage provider. Undefined if it has none there. */
export function storedFilesOf(job: TerminalJob): StoredFilesToRemove | undefined {
  if (job.state !== 'completed' || job.publication === undefined) return undefined;
  const files = Object.values(job.files).map((file) => ({ ...file, filename: filenameOf(file) }));
  // In reverse: a playlist disappears before the files that it names.
  const keys = publicationOrder(files)
    .reverse()
    .flatMap(({ storage }) => storage?.key ?? []);
  return { mark: publicationMark(job.jobId, job.publication), keys };
}

/** Whether a worker or a delivery that began before the deletion may be running at `now`. */
export function mayHaveActiveWriters({ sweepAt }: JobIn<'deleted'>, now: Date): boolean {
  return now.toISOString() < sweepAt;
}

/**
 * Records the sweep of a deleted job, whose usage the caller has subtracted. Another follows at `sweepAt` if something may
 * still be written.
 */
export function markTombstoneSwept(job: JobIn<'deleted'>, now: Date): JobChange<JobIn<'deleted'>> {
  const { dueAt, usage: _, usageCounted: __, spendingCaps: ___, ...rest } = job;
  return {
    guard: { state: 'deleted', dueAt: dueAt ?? null },
    job: mayHaveActiveWriters(job, now) ? { ...rest, dueAt: job.sweepAt } : rest,
  };
}

function countedUsage(job: TerminalJob): TerminalJob {
  return job.usageCounted === undefined ? job : { ...job, usageCounted: true };
}

function dueForSweep(job: TerminalJob): { dueAt?: string } {
  return job.sweepAt === undefined ? {} : { dueAt: job.sweepAt };
}
