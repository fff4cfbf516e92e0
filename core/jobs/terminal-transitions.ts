import { addMs, durations } from './durations.ts';
import type { JobChange } from './guard.ts';
import type { JobIn, TerminalJob } from './record.ts';

/**
 * Everything that can happen to a job's record once it has ended: its terminal event is delivered, delivered again
 * on request, what losers left in the bucket is swept, and its owner may delete it.
 */

/** Notes that a delivery attempt is made, so that reconcile leaves it alone until the next one would be long over. */
export function recordDeliveryAttempt(
  job: TerminalJob,
  { deliveryId, nextDelayMs, now }: { deliveryId: string; nextDelayMs: number; now: Date },
): JobChange<TerminalJob> {
  return {
    guard: { deliveryId, dueAt: job.dueAt ?? null },
    job: { ...job, dueAt: addMs(now, durations.deliveryAttemptMs + nextDelayMs) },
  };
}

/** Ends the pending delivery: a 2xx was recorded, the last attempt failed, or there is nobody to tell. */
export function settleDelivery(
  job: TerminalJob,
  deliveryId: string,
  deliveryOutcome: 'delivered' | 'abandoned' | 'none',
): JobChange<TerminalJob> {
  const { pendingDelivery: _, dueAt: __, ...rest } = job;
  return { guard: { deliveryId }, job: { ...rest, deliveryOutcome, ...dueForSweep(job) } };
}

/**
 * Counts one more start of the pending delivery's state machine. The caller starts the execution under that number
 * once this is written; while starts keep failing the waits double.
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
 * Asks for the terminal event to be delivered again, to the target of this moment. Only where nothing is pending, but
 * for the first delivery of a job that ended without a target: it takes that one's place, so that one event is
 * published all the same.
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
      pendingDelivery: { id: deliveryId, starts: 0, redelivery: pending?.redelivery ?? true },
      dueAt: addMs(now, durations.deliveryStartMs),
    },
  };
}

/** Notes that every file but the winner's has been removed. */
export function markSwept(job: TerminalJob): JobChange<TerminalJob> {
  const { sweepAt: _, dueAt: __, ...rest } = job;
  return { guard: { state: job.state, dueAt: job.dueAt ?? null }, job: rest };
}

/**
 * Removes a job for its readers; reconcile removes its files at once, and again with all that was noted about it when
 * no worker and no delivery that began before can live any more.
 */
export function deleteJob(job: TerminalJob, now: Date): JobChange<JobIn<'deleted'>> {
  const workersGone = Date.parse(
    job.sweepAt ?? addMs(new Date(job.claimedAt ?? job.createdAt), durations.sweepAfterClaimMs),
  );
  const deliveriesGone = now.getTime() + durations.sweepAfterDeleteMs;
  return {
    guard: { state: job.state },
    job: {
      ownerId: job.ownerId,
      jobId: job.jobId,
      state: 'deleted',
      deletedAt: now.toISOString(),
      sweepAt: new Date(Math.max(workersGone, deliveriesGone)).toISOString(),
      dueAt: now.toISOString(),
      expiresAt: Math.ceil((now.getTime() + durations.tombstoneMs) / 1000),
    },
  };
}

/** Whether a worker or a delivery that began before the job was deleted may still be at work at this moment. */
export function mayHaveActiveWriters({ sweepAt }: JobIn<'deleted'>, now: Date): boolean {
  return now.toISOString() < sweepAt;
}

/** Notes that a deleted job has been swept at `now`; once more at `sweepAt` if something may still be written. */
export function markTombstoneSwept(job: JobIn<'deleted'>, now: Date): JobChange<JobIn<'deleted'>> {
  const { dueAt, ...rest } = job;
  return {
    guard: { state: 'deleted', dueAt: dueAt ?? null },
    job: mayHaveActiveWriters(job, now) ? { ...rest, dueAt: job.sweepAt } : rest,
  };
}

function dueForSweep(job: TerminalJob): { dueAt?: string } {
  return job.sweepAt === undefined ? {} : { dueAt: job.sweepAt };
}
