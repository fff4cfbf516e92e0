import type { World } from './world.ts';

const everyMs = 60_000;

/**
 * Ticks at every whole minute for as long as something may still be due. A tick at which the index shows nothing due is
 * left out: that run would only read.
 */
export function runEveryMinute(world: World, tick: () => void): void {
  const { scheduler, plan } = world;
  const next = () => (Math.floor(scheduler.now() / everyMs) + 1) * everyMs;
  const run = () => {
    const now = new Date(scheduler.now()).toISOString();
    const dueAt = world.jobs.nextDueAt();
    if (dueAt !== undefined && dueAt <= now) {
      tick();
      if (plan.repeats('tick')) scheduler.at(scheduler.now() + plan.delayMs('duplicate'), tick);
    }
    if (dueAt !== undefined || scheduler.pending() > 0) scheduler.at(next(), run);
  };
  scheduler.at(next(), run);
}
