type Clock = { now(): Date; sleep(milliseconds: number): Promise<void> };

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
