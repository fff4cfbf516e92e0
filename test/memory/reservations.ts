import type { Reservation, Reservations } from '../../core/jobs/idempotency.ts';

/** Idempotency reservations in memory. */
export function memoryReservations(): Reservations {
  const stored = new Map<string, Reservation>();
  return {
    reserve: async (wanted, now) => {
      const key = `${wanted.ownerId}#${wanted.keyHash}`;
      const held = stored.get(key);
      if (held !== undefined && held.expiresAt > Math.floor(now.getTime() / 1000)) return held;
      stored.set(key, wanted);
      return wanted;
    },
  };
}
