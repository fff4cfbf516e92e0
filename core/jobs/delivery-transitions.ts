import type { DeliveredAttempt } from './attempt-outcome.ts';
import { addMs, dueIn, durations, nextDue } from './durations.ts';
import type { JobChange } from './guard.ts';
import type { TerminalJob } from './record.ts';

/** The transitions of an ended job that deliver its terminal event. */

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
    job: { ...job, ...dueIn(now, durations.deliveryAttemptMs + nextDelayMs) },
  };
}

/**
 * Defers a delivery that has not begun: the end of another one starts it, or else reconcile. The wait for reconcile is
 * random, so that thousands of deferred deliveries are not due at the same time. The caller has counted the job's usage.
 *
 * @param options.random from 0 to below 1
 */
export function deferDelivery(
  job: TerminalJob,
  { deliveryId, now, random }: { deliveryId: string; now: Date; random: number },
): JobChange<TerminalJob> {
  const { minDeliveryDeferMs, maxDeliveryDeferMs } = durations;
  const wait = minDeliveryDeferMs + Math.floor(random * (maxDeliveryDeferMs - minDeliveryDeferMs));
  return { guard: { deliveryId, dueAt: job.dueAt ?? null }, job: { ...countedUsage(job), ...dueIn(now, wait) } };
}

/** Ends the pending delivery: a 2xx was recorded, or the job has no webhook target. The caller has counted the job's usage. */
export function settleDelivery(
  job: TerminalJob,
  deliveryId: string,
  deliveryOutcome: 'delivered' | 'none',
): JobChange<TerminalJob> {
  return { guard: { deliveryId }, job: settled(job, { deliveryOutcome }) };
}

/**
 * Ends the pending delivery after its last attempt failed, and schedules the next later attempt, if one is left. The caller
 * has counted the job's usage.
 *
 * @param options.laterAttemptsMs the wait before each later attempt of the stage, from the end of the delivery before it
 */
export function abandonDelivery(
  job: TerminalJob,
  { deliveryId, now, laterAttemptsMs }: { deliveryId: string; now: Date; laterAttemptsMs: readonly number[] },
): JobChange<TerminalJob> {
  const { begun = 0 } = job.laterAttempts ?? {};
  const waitMs = laterAttemptsMs[begun];
  const next = waitMs === undefined ? {} : { nextAt: addMs(now, waitMs) };
  const laterAttempts = begun === 0 && waitMs === undefined ? undefined : { begun, ...next };
  return { guard: { deliveryId }, job: settled(job, { deliveryOutcome: 'abandoned', laterAttempts }) };
}

/**
 * Ends the pending delivery and records its 2xx in the same write. The guard requires the `dueAt` of the attempt. Reconcile
 * moves `dueAt` before it starts a further attempt, so none has begun. The caller has counted the job's usage.
 */
export function settleDelivered(job: TerminalJob, deliveredAttempt: DeliveredAttempt): JobChange<TerminalJob> {
  const { deliveryId } = deliveredAttempt;
  const settled = settleDelivery(job, deliveryId, 'delivered');
  return { guard: { deliveryId, dueAt: job.dueAt ?? null }, job: { ...settled.job, deliveredAttempt } };
}

/**
 * Lists a delivery among those that are due now. Until then it was listed at the first check of its job, among waiting
 * jobs, whose recovery thousands of deliveries must not delay.
 */
export function listDelivery(job: TerminalJob, now: Date): JobChange<TerminalJob> {
  return { guard: { state: job.state, dueAt: job.dueAt ?? null }, job: { ...job, ...dueIn(now, 0) } };
}

/**
 * Counts another start of the pending delivery's state machine. The caller starts the execution under that number after
 * this is written. While starts keep failing, the waits double.
 */
export function resumeDelivery(job: TerminalJob, now: Date): JobChange<TerminalJob> {
  if (job.pendingDelivery === undefined) throw new Error(`Job ${job.jobId} has no pending delivery to resume`);
  const { starts } = job.pendingDelivery;
  const wait = Math.min(durations.deliveryAttemptMs * 2 ** starts, durations.maxDeliveryResumeMs);
  return {
    guard: { state: job.state, dueAt: job.dueAt ?? null },
    job: { ...job, pendingDelivery: { ...job.pendingDelivery, starts: starts + 1 }, ...dueIn(now, wait) },
  };
}

/** Begins the later attempt that is due, as a delivery to the current target. Without a target none follows. */
export function beginLaterAttempt(
  job: TerminalJob,
  { now, webhookTarget, deliveryId }: { now: Date; webhookTarget: string | null; deliveryId: string },
): JobChange<TerminalJob> {
  const guard = { state: job.state, dueAt: job.dueAt ?? null, deliveryId: null };
  const { begun = 0 } = job.laterAttempts ?? {};
  if (webhookTarget === null) {
    const { dueAt: _, ...rest } = job;
    return { guard, job: { ...rest, laterAttempts: { begun }, ...nextDue({ ...job, laterAttempts: undefined }) } };
  }
  const pendingDelivery = { id: deliveryId, starts: 0, redelivery: true, isLater: true } as const;
  return {
    guard,
    job: {
      ...job,
      webhookTarget,
      laterAttempts: { begun: begun + 1 },
      pendingDelivery,
      ...dueIn(now, durations.deliveryStartMs),
    },
  };
}

/**
 * Delivers the terminal event again, to the current target, in place of the next later attempt. The guard requires that no
 * delivery is pending. Exception: the first delivery of a job that ended without a target is replaced, so that its event is
 * still published once. Counts the redelivery in the same write.
 */
export function redeliver(
  job: TerminalJob,
  { now, webhookTarget, deliveryId }: { now: Date; webhookTarget: string; deliveryId: string },
): JobChange<TerminalJob> {
  const { state, dueAt, pendingDelivery: pending } = job;
  return {
    guard: pending === undefined ? { state, dueAt: dueAt ?? null, deliveryId: null } : { deliveryId: pending.id },
    job: {
      ...job,
      webhookTarget,
      redeliveries: (job.redeliveries ?? 0) + 1,
      ...(job.laterAttempts === undefined ? {} : { laterAttempts: { begun: job.laterAttempts.begun } }),
      pendingDelivery: { id: deliveryId, starts: 0, redelivery: pending?.redelivery ?? true },
      ...dueIn(now, durations.deliveryStartMs),
    },
  };
}

function countedUsage(job: TerminalJob): TerminalJob {
  return job.usageCounted === undefined ? job : { ...job, usageCounted: true };
}

function settled(job: TerminalJob, outcome: Pick<TerminalJob, 'deliveryOutcome' | 'laterAttempts'>): TerminalJob {
  const { pendingDelivery: _, dueAt: __, laterAttempts: ___, ...rest } = countedUsage(job);
  const { deliveryOutcome, laterAttempts } = outcome;
  const later = laterAttempts === undefined ? {} : { laterAttempts };
  return { ...rest, deliveryOutcome, ...later, ...nextDue({ ...job, laterAttempts }) };
}
