import * as z from 'zod';
import { timestampSchema } from '../timestamp.ts';

/** How one POST to a receiver ended, as its owner reads it. */
export const attemptOutcomeSchema = z.object({
  delivered: z.boolean(),
  endedAt: timestampSchema,
  status: z.int().optional(),
  latencyMs: z.int().min(0),
  /** The address that was connected to. */
  address: z.string().optional(),
  errorClass: z.string().optional(),
  error: z.string().optional(),
  /** The first 4 KiB of the answer. */
  responseBody: z.string().optional(),
});

/** One attempt to deliver a terminal event. Without an outcome it is under way, or its writer was lost. */
export const deliveryAttemptSchema = z.object({
  ownerId: z.string(),
  jobId: z.string(),
  deliveryId: z.string(),
  attempt: z.int().min(1),
  /** Who wrote it: only this writer may make the POST. */
  writerId: z.string(),
  startedAt: timestampSchema,
  url: z.string(),
  outcome: attemptOutcomeSchema.optional(),
  /** Epoch seconds at which the table forgets the attempt (its time-to-live attribute). */
  expiresAt: z.int(),
});

export type AttemptOutcome = z.infer<typeof attemptOutcomeSchema>;
export type DeliveryAttempt = z.infer<typeof deliveryAttemptSchema>;

/** The outcome of an attempt whose writer was lost before it could note one: it counts as failed. */
export function lostOutcome(attempt: DeliveryAttempt, now: Date): AttemptOutcome {
  return {
    delivered: false,
    endedAt: now.toISOString(),
    latencyMs: Math.max(0, now.getTime() - Date.parse(attempt.startedAt)),
    errorClass: 'LOST',
    error: 'The attempt was started but its outcome was never recorded; the receiver may have seen it.',
  };
}

/**
 * Attempts by delivery, oldest first, and by number: in the text of a table's keys the tenth comes before the second.
 */
export function sortAttempts(attempts: readonly DeliveryAttempt[]): DeliveryAttempt[] {
  return attempts.toSorted((a, b) => {
    if (a.deliveryId !== b.deliveryId) return a.deliveryId < b.deliveryId ? -1 : 1;
    return a.attempt - b.attempt;
  });
}
