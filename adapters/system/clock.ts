import { setTimeout } from 'node:timers/promises';
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
