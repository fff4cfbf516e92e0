import * as z from 'zod';
import { type AttemptOutcome, attemptOutcomeSchema, type DeliveredAttempt } from '../jobs/attempt-outcome.ts';
import type { RemovalOptions, RemovalResult } from '../jobs/ports.ts';
import { timestampSchema } from '../timestamp.ts';
import type { BusEvent } from './delivery.ts';

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

/** Identifies an attempt; `attempt` counts from 1 within the delivery. */
export type AttemptRef = { ownerId: string; jobId: string; deliveryId: string; attempt: number };

export type JournalResult = { written: true } | { written: false; current: DeliveryAttempt | undefined };

/**
 * The journal of delivery attempts. An attempt is written before its POST and closed after it. Reads are strongly
 * consistent.
 */
export type DeliveryJournal = {
  /** Writes an attempt unless one of that number exists. A repeat by the same writer reports it as written. */
  open(attempt: DeliveryAttempt): Promise<JournalResult>;
  /** Adds the outcome unless there is one. */
  close(attempt: DeliveryAttempt): Promise<JournalResult>;
  get(ref: AttemptRef): Promise<DeliveryAttempt | undefined>;
  /** The attempts of one delivery in order, or of all deliveries of a job. */
  list(scope: { ownerId: string; jobId: string; deliveryId?: string }): Promise<DeliveryAttempt[]>;
  /** The latest attempts of a job in order, at most `limit`. */
  listLatest(job: { ownerId: string; jobId: string }, limit: number): Promise<DeliveryAttempt[]>;
  /** Removes the attempts page by page, without reading them. */
  removeAll(job: { ownerId: string; jobId: string }, options?: RemovalOptions): Promise<RemovalResult>;
};

export type DeliveryRef = Omit<AttemptRef, 'attempt'>;

/** Sends deliveries to the function that makes their first attempt: at least once, in any order. */
export type DeliveryQueue = { send(delivery: DeliveryRef): Promise<void> };

/** Starts the state machine that schedules the attempts after the first. */
export type DeliveryRetries = {
  /** Starts an execution; `exists` if its name was used before. */
  start(execution: { name: string; input: DeliveryRetry }): Promise<'started' | 'exists'>;
};

/** The input of one call of deliver-webhook. */
export type DeliveryInput = AttemptRef & {
  /** Earliest time of the attempt, in Unix milliseconds. */
  notBefore: number;
};

/** The input of the state machine: an attempt, and the whole seconds to wait before the call. */
export type DeliveryRetry = DeliveryInput & { waitSeconds: number };

export type EventBus = { publish(event: BusEvent): Promise<void> };
