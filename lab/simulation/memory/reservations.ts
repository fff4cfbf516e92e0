import type { Reservation, ReservationKey, Reservations } from '../../../core/idempotency.ts';

/** Idempotency reservations in memory. */
export function memoryReservations(): Reservations {
  const reservations = new Map<string, Reservation>();
  const nameOf = ({ ownerId, keyHash }: ReservationKey) => `${ownerId}#${keyHash}`;
  const find = (key: ReservationKey, now: Date) => {
    const stored = reservations.get(nameOf(key));
    return stored !== undefined && stored.expiresAt > Math.floor(now.getTime() / 1000) ? stored : undefined;
  };
  return {
    find: async (key, now) => find(key, now),
    reserve: async (requested, now) => {
      const stored = find(requested, now);
      if (stored === undefined) reservations.set(nameOf(requested), requested);
      return stored ?? requested;
    },
    complete: async (reservation, result) => void reservations.set(nameOf(reservation), { ...reservation, result }),
  };
}
