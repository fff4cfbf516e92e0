import { availableParallelism, loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';

const patienceMs = 4 * 60_000;
const lookEveryMs = 5_000;

/** Whether the load of the last minute leaves half of the CPUs idle. */
export function isMachineIdle(): boolean {
  return loadAverage() < availableParallelism() / 2;
}

/** The load average of the last minute. */
export function loadAverage(): number {
  return loadavg()[0] ?? 0;
}

/**
 * Waits until the previous benchmark no longer shows in the load average. Gives up after four minutes: the load comes
 * from other work then.
 */
export async function waitUntilIdle(): Promise<void> {
  const end = performance.now() + patienceMs;
  while (!isMachineIdle() && performance.now() < end) await sleep(lookEveryMs);
}
