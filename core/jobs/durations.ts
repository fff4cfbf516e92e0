const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

/** Every span of time that a job's record depends on, in milliseconds. */
export const durations = {
  /** A worker's lease; a worker that has not renewed it is taken for lost. */
  leaseMs: 40 * second,
  /** How often a worker looks at its record: the longest a cancel goes unnoticed. */
  heartbeatMs: 2 * second,
  /** How often reconcile looks whether a state machine that has taken a job over still runs. */
  executionCheckMs: 5 * minute,
  /** The first wait before a queued job's message is sent again; it doubles from then on. */
  resendAfterMs: 5 * minute,
  maxResendMs: hour,
  /** How long a terminal job waits for its delivery to be started before reconcile starts it. */
  deliveryStartMs: 20 * second,
  /** How long one delivery attempt may take, with the wait before the next, before reconcile resumes it. */
  deliveryAttemptMs: minute,
  maxDeliveryResumeMs: hour,
  /** Longer after a claim than any function can live (15 minutes): no worker of that claim writes any more. */
  sweepAfterClaimMs: 16 * minute,
  /** Longer after a deletion than a delivery attempt that was begun before it can last. */
  sweepAfterDeleteMs: 2 * minute,
  /** How long reconcile leaves a job alone that it could not bring forward, so that it holds nothing else up. */
  postponeMs: minute,
  tombstoneMs: 48 * hour,
} as const;

/** How many times a job may be claimed before a lost worker fails it. */
export const maxAttempts = 3;

/** The moment so many milliseconds after another, as records hold moments. */
export function addMs(now: Date, milliseconds: number): string {
  return new Date(now.getTime() + milliseconds).toISOString();
}
