import { setTimeout as wait } from 'node:timers/promises';
import type { Clock } from '../../core/jobs/ports.ts';

/** The clock of this machine. A sleep is never short, although timers may fire a millisecond early. */
export const systemClock: Clock = {
  now: () => new Date(),
  sleep: async (delayMs, signal) => {
    const until = Date.now() + delayMs;
    for (let rest = delayMs; rest > 0 && !signal?.aborted; rest = until - Date.now()) {
      await wait(rest, undefined, signal === undefined ? {} : { signal }).catch(() => undefined);
    }
  },
};
