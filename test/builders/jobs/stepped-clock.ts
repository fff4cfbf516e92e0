import { vi } from 'vitest';
import type { Clock } from '../../../core/jobs/ports.ts';
import { later } from './jobs.ts';

/** A clock that a test moves: each beat ends the current sleep. */
export function aSteppedClock() {
  let time = 1_000;
  let sleeper: { milliseconds: number; wake: () => void } | undefined;
  const clock: Clock = {
    now: () => later(time),
    sleep: (milliseconds, signal) =>
      new Promise((resolve) => {
        sleeper = { milliseconds, wake: resolve };
        signal?.addEventListener('abort', () => resolve());
      }),
  };
  const asleep = () =>
    vi.waitFor(() => sleeper ?? Promise.reject(new Error('No code is sleeping')), { interval: 1, timeout: 30_000 });
  const wake = async () => {
    const woken = await asleep();
    sleeper = undefined;
    time += woken.milliseconds;
    woken.wake();
  };
  return {
    clock,
    /** Ends the sleep before the next heartbeat. */
    wake,
    /** Runs one heartbeat; resolves when the code sleeps again. */
    async beat(): Promise<void> {
      await wake();
      await asleep();
    },
  };
}
