import { availableParallelism, loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';

const patienceMs = 4 * 60_000;
const lookEveryMs = 5_000;

/** Whether the load of the last minute leaves half of the processors free. */
export function isMachineIdle(): boolean {
  return loadAverage() < availableParallelism() / 2;
}

/** The load of the last minute, in processes that run or wait to. */
export function loadAverage(): number {
  return loadavg()[0] ?? 0;
}

/**
 * Waits until what ran before has ebbed away in the load of the last minute, so that a benchmark does not take the one
 * before it for other work. Gives up after four minutes: then it is other work.
 */
export async function waitUntilIdle(): Promise<void> {
  const end = performance.now() + patienceMs;
  while (!isMachineIdle() && performance.now() < end) await sleep(lookEveryMs);
}
