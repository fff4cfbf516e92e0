import { createHash } from 'node:crypto';
import { canonicalJson } from '@media-jobs/video/values';
import { AppError } from './errors.ts';
import type { Clock } from './jobs/ports.ts';

const dayMs = 24 * 3_600_000;

/** An `Idempotency-Key` in use. Every request with it gets the same job, key, upload, provider or delivery until it expires. */
export type Reservation = {
  ownerId: string;
  /** Hex SHA-256 of the key. */
  keyHash: string;
  resourceId: string;
  /** Hex SHA-256 of what the key is bound to, such as the request body. */
  bodyHash: string;
  /** The `createdAt` of the resource, so that a replay writes and returns the same one. */
  createdAt: string;
  /** Epoch seconds; also the table's time-to-live attribute. */
  expiresAt: number;
  /** What a replay needs besides, once the resource is made: S3's id of an upload, the id of a delivery. */
  result?: string | undefined;
};

export type ReservationKey = Pick<Reservation, 'ownerId' | 'keyHash'>;

export type Reservations = {
  /** Stores the reservation unless an unexpired one exists; returns the one that is in effect. */
  reserve(requested: Reservation, now: Date): Promise<Reservation>;
  /** The unexpired reservation of a key. */
  find(key: ReservationKey, now: Date): Promise<Reservation | undefined>;
  /** Stores the result of a reservation in effect. */
  complete(reservation: Reservation, result: string): Promise<void>;
};

export type KeyedRequest = {
  ownerId: string;
  key: string;
  body: unknown;
  resourceId: string;
  now: Date;
  lifetimeMs?: number | undefined;
};

/** Builds the reservation for a request. The order of JSON properties in `body` does not change its hash. */
export function reservationFor({ ownerId, key, body, resourceId, now, lifetimeMs = dayMs }: KeyedRequest): Reservation {
  return {
    ownerId,
    keyHash: sha256(key),
    resourceId,
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

export type ReserveIdDeps = { reservations: Reservations; clock: Pick<Clock, 'now'>; newId: () => string };

export type KeyedCreation = {
  ownerId: string;
  idempotencyKey: string | undefined;
  /** What the key is bound to: the route, who calls it, and the raw body. */
  request: object;
};

/** `reservation` is that of the request's idempotency key, if it has one. */
export type ReservedId = { id: string; createdAt: Date; isReplay: boolean; reservation?: Reservation };

/**
 * The id of the resource that a request makes: that of an earlier request with the same idempotency key, else a new one.
 * `admit` rejects a request that may not make the resource; the key of a rejected request stays free.
 *
 * @throws AppError IDEMPOTENCY_KEY_REUSED
 */
export async function reserveId(
  { reservations, clock, newId }: ReserveIdDeps,
  { ownerId, idempotencyKey: key, request: body }: KeyedCreation,
  admit: (reserved: Pick<ReservedId, 'id' | 'isReplay'>) => Promise<void>,
): Promise<ReservedId> {
  const [now, resourceId] = [clock.now(), newId()];
  const requested = key === undefined ? undefined : reservationFor({ ownerId, key, body, resourceId, now });
  const earlier = requested && (await reservations.find(requested, now));
  if (requested !== undefined && earlier !== undefined) assertSameBody(earlier, requested);
  await admit({ id: earlier?.resourceId ?? resourceId, isReplay: earlier !== undefined });
  if (requested === undefined) return { id: resourceId, createdAt: now, isReplay: false };
  const reservation = await reservations.reserve(requested, now);
  assertSameBody(reservation, requested);
  const { resourceId: id, createdAt } = reservation;
  return { id, createdAt: new Date(createdAt), isReplay: id !== resourceId, reservation };
}

/** The headers of a replay; nothing for a first response. */
export function replayed({ isReplay }: Pick<ReservedId, 'isReplay'>): { headers?: Record<string, string> } {
  return isReplay ? { headers: { 'idempotent-replayed': 'true' } } : {};
}
