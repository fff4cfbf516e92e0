import { economyQueue } from '../../../core/jobs/queues.ts';
import type { World } from './world.ts';

const everyMs = 60_000;
/** After a week the run is given up. */
const patienceMs = 7 * 24 * 3_600_000;

/**
 * Ticks at every whole minute while something may still be due. Ticks with nothing due in the index, and without a job for the
 * pool, are left out: such a run would only read.
 */
export function runEveryMinute(world: World, tick: () => void): void {
  const { scheduler, plan } = world;
  const giveUpAt = scheduler.now() + patienceMs;
  const next = () => (Math.floor(scheduler.now() / everyMs) + 1) * everyMs;
  const run = () => {
    const now = new Date(scheduler.now()).toISOString();
    const [dueAt] = [world.jobs.nextDueAt(), world.spending.nextDueAt()].filter((at) => at !== undefined).sort();
    if ((dueAt !== undefined && dueAt <= now) || world.jobs.hasWaiting(economyQueue)) {
      tick();
      if (plan.repeats('tick')) scheduler.at(scheduler.now() + plan.delayMs('duplicate'), tick);
    }
    const isOver = scheduler.now() > giveUpAt || (dueAt === undefined && scheduler.pending() === 0);
    if (!isOver) scheduler.at(next(), run);
  };
  scheduler.at(next(), run);
}
