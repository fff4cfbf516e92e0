import { createHash } from 'node:crypto';
import { canonicalJson } from '../canonical-json.ts';
import { AppError } from '../errors.ts';

const lifetimeMs = 24 * 3_600_000;

/** An `Idempotency-Key` in use. Every request with it gets the same job until it expires. */
export type Reservation = {
  ownerId: string;
  /** Hex SHA-256 of the key. */
  keyHash: string;
  jobId: string;
  /** Hex SHA-256 of the request body, or of the id of the job to be retried. */
  bodyHash: string;
  /** The job's `createdAt`, so that a replay writes and returns the same job. */
  createdAt: string;
  /** Epoch seconds; also the table's time-to-live attribute. */
  expiresAt: number;
};

/** The table of idempotency keys. */
export type Reservations = {
  /** Stores the reservation unless one that has not expired by `now` is there, and returns the one that holds. */
  reserve(wanted: Reservation, now: Date): Promise<Reservation>;
};

export type KeyedRequest = { ownerId: string; key: string; body: unknown; jobId: string; now: Date };

/** The reservation that a request with this key asks for; `sent` is its body, in whatever spelling of JSON. */
export function reservationFor({ ownerId, key, body, jobId, now }: KeyedRequest): Reservation {
  return {
    ownerId,
    keyHash: sha256(key),
    jobId,
    bodyHash: sha256(canonicalJson(body)),
    createdAt: now.toISOString(),
    expiresAt: Math.ceil((now.getTime() + lifetimeMs) / 1000),
  };
}

/** Throws AppError IDEMPOTENCY_KEY_REUSED where the reservation that holds was made for another request. */
export function assertSameBody(held: Reservation, wanted: Reservation): void {
  if (held.bodyHash === wanted.bodyHash) return;
  throw new AppError(
    'IDEMPOTENCY_KEY_REUSED',
    'This Idempotency-Key was used for another request within 24 hours: use a new key for a new request.',
  );
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
