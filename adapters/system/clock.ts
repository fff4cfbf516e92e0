import { randomBytes as cryptoRandomBytes } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { v7 } from 'uuid';
import type { Clock } from '../../core/jobs/ports.ts';

/** Resolves after `delayMs`, or rejects as soon as the signal aborts. */
type Timer = (delayMs: number, value: undefined, options: { signal?: AbortSignal }) => Promise<unknown>;

/** The clock of this machine. A sleep is never short, although timers may fire a millisecond early. */
export function clockWithTimer(timer: Timer): Clock {
  return {
    now: () => new Date(),
    sleep: async (delayMs, signal) => {
      const until = Date.now() + delayMs;
      for (let rest = delayMs; rest > 0 && !signal?.aborted; rest = until - Date.now()) {
        await timer(rest, undefined, signal === undefined ? {} : { signal }).catch(() => undefined);
      }
    },
  };
}

export const systemClock: Clock = clockWithTimer(setTimeout);

/** Pauses between attempts. `random` returns numbers from 0 to below 1. */
export type Pacing = { sleep: Clock['sleep']; random: () => number };

export const systemPacing: Pacing = { sleep: systemClock.sleep, random: Math.random };

/** A new id that sorts by time (UUIDv7, RFC 9562 section 5.7). */
export function newId(): string {
  return v7();
}

/** A new job's id (UUIDv7 of its creation time), so that jobs sort by id as by creation. */
export function newJobId(createdAt: Date): string {
  return v7({ msecs: createdAt.getTime() });
}

/** Bytes of the system's CSPRNG. */
export const randomBytes: (size: number) => Uint8Array = cryptoRandomBytes;

/** Time before Lambda's timeout for the terminal write and the removal of a failed job's files. */
const shutdownReserveMs = 30_000;

/** The time at which the work of an invocation must end: `reserveMs` before Lambda stops the function. */
export function deadlineOf(context: { getRemainingTimeInMillis: () => number }, reserveMs = shutdownReserveMs): Date {
  return new Date(Date.now() + context.getRemainingTimeInMillis() - reserveMs);
}
