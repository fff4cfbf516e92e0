import type { DeliveryAttempt } from './attempt.ts';

/** Which attempt: of a job's delivery, the n-th (from 1). */
export type AttemptRef = { ownerId: string; jobId: string; deliveryId: string; attempt: number };

export type JournalResult = { written: true } | { written: false; current: DeliveryAttempt | undefined };

/** Every delivery attempt, written down before its POST and closed after it. Reads are strongly consistent. */
export type DeliveryJournal = {
  /** Opens an attempt, only where none of that number exists. Repeating one's own write reports it as written. */
  open(attempt: DeliveryAttempt): Promise<JournalResult>;
  /** Adds the outcome, only where there is none yet. */
  close(attempt: DeliveryAttempt): Promise<JournalResult>;
  get(ref: AttemptRef): Promise<DeliveryAttempt | undefined>;
  /** The attempts of one delivery in order, or of all deliveries of a job. */
  list(of: { ownerId: string; jobId: string; deliveryId?: string }): Promise<DeliveryAttempt[]>;
  removeAll(of: { ownerId: string; jobId: string }): Promise<void>;
};

/** What starts the state machine that times a delivery's attempts. */
export type DeliveryStarter = {
  /** Starts an execution under a name that can be used once; `exists` says that it has been. */
  start(execution: { name: string; input: DeliveryInput }): Promise<'started' | 'exists'>;
};

/** The input of the state machine, and with `delaysMs` of each of its calls. */
export type DeliveryInput = AttemptRef & {
  /** Unix milliseconds before which the attempt is not made. */
  notBefore: number;
};
