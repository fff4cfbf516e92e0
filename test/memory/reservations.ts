import type { Reservation, Reservations } from '../../core/jobs/idempotency.ts';

/** Idempotency reservations in memory. */
export function memoryReservations(): Reservations {
  const reservations = new Map<string, Reservation>();
  return {
    reserve: async (requested, now) => {
      const key = `${requested.ownerId}#${requested.keyHash}`;
      const stored = reservations.get(key);
      if (stored !== undefined && stored.expiresAt > Math.floor(now.getTime() / 1000)) return stored;
      reservations.set(key, requested);
      return requested;
    },
  };
}
