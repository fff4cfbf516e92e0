import { setTimeout as wait } from 'node:timers/promises';
import type { Clock } from '../../core/jobs/ports.ts';

/** The time of this machine. A sleep is never short: timers may fire a millisecond early. */
export const systemClock: Clock = {
  now: () => new Date(),
  sleep: async (milliseconds, signal) => {
    const until = Date.now() + milliseconds;
    for (let rest = milliseconds; rest > 0 && !signal?.aborted; rest = until - Date.now()) {
      await wait(rest, undefined, signal === undefined ? {} : { signal }).catch(() => undefined);
    }
  },
};
