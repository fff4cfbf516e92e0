import { assertSameBody, type Reservation, type Reservations, reservationFor } from '../idempotency.ts';
import type { Clock } from '../jobs/ports.ts';

export type ReserveIdDeps = {
  reservations: Reservations;
  clock: Pick<Clock, 'now'>;
  newId: () => string;
};

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
