import * as z from 'zod';
import { type AttemptOutcome, attemptOutcomeSchema, type DeliveredAttempt } from '../jobs/attempt-outcome.ts';
import { timestampSchema } from '../timestamp.ts';

/** One attempt to deliver a terminal event. Without an outcome it is in progress, or its writer crashed. */
export const deliveryAttemptSchema = z.object({
  ownerId: z.string(),
  jobId: z.string(),
  deliveryId: z.string(),
  attempt: z.int().min(1),
  /** The function that wrote the attempt. Only it may send the POST. */
  writerId: z.string(),
  startedAt: timestampSchema,
  url: z.string(),
  outcome: attemptOutcomeSchema.optional(),
  /** Epoch seconds: the table's time-to-live attribute. */
  expiresAt: z.int(),
});

export type DeliveryAttempt = z.infer<typeof deliveryAttemptSchema>;

export const lostErrorClass = 'LOST';

/** The outcome of an attempt whose writer crashed before it recorded one. It counts as failed. */
export function lostOutcome(attempt: DeliveryAttempt, now: Date): AttemptOutcome {
  return {
    delivered: false,
    endedAt: now.toISOString(),
    latencyMs: Math.max(0, now.getTime() - Date.parse(attempt.startedAt)),
    errorClass: lostErrorClass,
    error: 'The attempt was started but its outcome was never recorded; the receiver may have seen it.',
  };
}

/** Sorts attempts by delivery, oldest first, then by number. Sort keys of the table are text: "10" sorts before "2". */
export function sortAttempts(attempts: readonly DeliveryAttempt[]): DeliveryAttempt[] {
  return attempts.toSorted((a, b) => {
    if (a.deliveryId !== b.deliveryId) return a.deliveryId < b.deliveryId ? -1 : 1;
    return a.attempt - b.attempt;
  });
}

/** An attempt of the journal with its outcome, if the record of its job has it. */
export function withRecordedOutcome(
  attempt: DeliveryAttempt,
  delivered: DeliveredAttempt | undefined,
): DeliveryAttempt {
  const { deliveryId, attempt: number } = attempt;
  const isDelivered = delivered?.deliveryId === deliveryId && delivered.attempt === number;
  return isDelivered && attempt.outcome === undefined ? { ...attempt, outcome: delivered.outcome } : attempt;
}
