import { createHash } from 'node:crypto';
import { canonicalJson } from '@media-jobs/video/values';
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

export type ReservationKey = Pick<Reservation, 'ownerId' | 'keyHash'>;

/** The table of idempotency keys. */
export type Reservations = {
  /** Stores the reservation unless an unexpired one exists; returns the one that is in effect. */
  reserve(requested: Reservation, now: Date): Promise<Reservation>;
  /** The unexpired reservation of a key. */
  find(key: ReservationKey, now: Date): Promise<Reservation | undefined>;
};

export type KeyedRequest = { ownerId: string; key: string; body: unknown; jobId: string; now: Date };

/** Builds the reservation for a request. The order of JSON properties in `body` does not change its hash. */
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

/** Throws AppError IDEMPOTENCY_KEY_REUSED if the reservation in effect is for another request. */
export function assertSameBody(stored: Reservation, requested: Reservation): void {
  if (stored.bodyHash === requested.bodyHash) return;
  throw new AppError(
    'IDEMPOTENCY_KEY_REUSED',
    'This Idempotency-Key was used for another request within 24 hours: use a new key for a new request.',
  );
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
