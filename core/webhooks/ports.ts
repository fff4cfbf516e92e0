import type { RemovalOptions, RemovalResult } from '../jobs/ports.ts';
import type { DeliveryAttempt } from './attempt.ts';
import type { BusEvent } from './bus-event.ts';

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

/** Identifies a delivery. */
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

/** The event bus of the stage. */
export type EventBus = { publish(event: BusEvent): Promise<void> };
