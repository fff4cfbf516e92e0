import type { PostLimits } from '../net/ports.ts';

/** The id of a job's terminal event, the same on every attempt and redelivery, so that receivers can drop repeats. */
export function webhookId(jobId: string): string {
  return `evt_${jobId}`;
}

/** The execution name of the n-th start of a delivery. Names can be used once, which spares work, not correctness. */
export function deliveryExecutionName(deliveryId: string, starts: number): string {
  return `wh-${deliveryId}-${starts}`;
}

/** What one attempt may take at a receiver. */
export const webhookLimits: PostLimits = {
  connectMs: 5_000,
  totalMs: 10_000,
  maxResponseBytes: 64 * 1024,
};

/**
 * When the next attempt is made, if there is one: never before `notBefore` (Unix milliseconds). The state machine's
 * `Wait` spends the whole seconds of the delay, since it knows no smaller unit; the function holds the rest.
 */
export function nextAttempt({
  attempt,
  endedAt,
  delaysMs,
}: {
  attempt: number;
  endedAt: string;
  delaysMs: readonly number[];
}): { attempt: number; notBefore: number; waitSeconds: number } | undefined {
  const delayMs = delaysMs[attempt];
  if (delayMs === undefined) return undefined;
  return {
    attempt: attempt + 1,
    // A clock rounds down: an attempt that ended in the course of a millisecond had ended by the next one.
    notBefore: Date.parse(endedAt) + 1 + delayMs,
    waitSeconds: Math.floor(delayMs / 1000),
  };
}
