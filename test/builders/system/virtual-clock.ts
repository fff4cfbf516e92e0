import type { Clock } from '../../../core/jobs/ports.ts';

/** A clock that stands still but for its sleeps, which take no real time, and `pass`. */
export function aVirtualClock(start: Date): Clock & { pass(milliseconds: number): void } {
  let time = start.getTime();
  return {
    now: () => new Date(time),
    sleep: async (milliseconds) => {
      time += Math.max(0, milliseconds);
    },
    pass: (milliseconds) => {
      time += milliseconds;
    },
  };
}
