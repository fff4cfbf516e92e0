import type { Clock } from '../../../core/jobs/ports.ts';

/** A clock that moves only by `sleep`, which takes no real time, and by `pass`. */
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
