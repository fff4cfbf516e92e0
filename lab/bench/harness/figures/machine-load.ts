import { cpus } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';

const patienceMs = 4 * 60_000;
const sampleMs = 5_000;
/** Above this busy share, other work widens the spread of the figures. */
const maxIdleShare = 0.1;

/** Whether a busy share shows no other work. */
export function isIdle(busyShare: number): boolean {
  return busyShare <= maxIdleShare;
}

/**
 * Waits until the machine is idle for five seconds, so that neither the end of the previous benchmark nor other work is in the
 * next one. Gives up after four minutes.
 *
 * @returns the busy share of the processors in the last five seconds, from 0 to 1
 */
export async function waitUntilIdle(): Promise<number> {
  const end = performance.now() + patienceMs;
  let share = await sampleBusyShare();
  while (!isIdle(share) && performance.now() < end) share = await sampleBusyShare();
  return share;
}

async function sampleBusyShare(): Promise<number> {
  const before = processorTimes();
  await sleep(sampleMs);
  const after = processorTimes();
  return busyShare(before, after);
}

/** The milliseconds of all processors since the start of the machine. */
export type ProcessorTimes = { idle: number; total: number };

/** The share of the processors that was busy between two readings. */
export function busyShare(before: ProcessorTimes, after: ProcessorTimes): number {
  const total = after.total - before.total;
  return total === 0 ? 0 : 1 - (after.idle - before.idle) / total;
}

function processorTimes(): ProcessorTimes {
  const all = cpus().map(({ times }) => times);
  const sum = (values: number[]) => values.reduce((whole, value) => whole + value, 0);
  return {
    idle: sum(all.map(({ idle }) => idle)),
    total: sum(all.flatMap(({ user, nice, sys, idle, irq }) => [user, nice, sys, idle, irq])),
  };
}
