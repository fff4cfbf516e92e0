import { poolOverhead, poolSlots } from '../../../core/pricing/fargate-computer.ts';
import type { Outcome } from './invocation-types.ts';
import type { World } from './world.ts';

/** A task of the pool, as each of its slots sees it. */
export type PoolTask = {
  /** Aborts when ECS stops the task, two minutes before it kills it. */
  stopped: AbortSignal;
  /** The slots that have a job. */
  busy: { add(change: 1 | -1): void; isAny(): boolean };
  /** From the start of the slot. */
  killedAfterMs: number;
};

/** Runs a slot of a task. */
export type PoolSlot = (task: PoolTask, onEnd: (outcome: Outcome<unknown>) => void) => void;

export type PoolExecutions = { start(name: string): void; running(): number };

/** The time between SIGTERM and SIGKILL of a task whose Spot capacity is taken back. */
const noticeMs = 120_000;

/** More than a task ever takes. */
const maxTaskMs = 24 * 3_600_000;

const startMs = poolOverhead.startSeconds * 1_000;

/** Executions that run a task of the pool each: as many slots as a task has, until all of them have ended. */
export function poolExecutions(world: World, runSlot: PoolSlot): PoolExecutions {
  const { scheduler, plan } = world;
  const names = new Set<string>();
  const running = new Set<string>();
  const run = (name: string) => {
    const stopped = new AbortController();
    const spotMs = plan.spotMs();
    if (spotMs !== undefined)
      scheduler.wakeAt(scheduler.now() + spotMs, () => stopped.abort(new Error('ECS stops the task')));
    let [withJob, left] = [0, poolSlots];
    const busy: PoolTask['busy'] = {
      add: (change) => {
        withJob += change;
      },
      isAny: () => withJob > 0,
    };
    const killedAfterMs = spotMs === undefined ? maxTaskMs : spotMs + noticeMs;
    for (let slot = 0; slot < poolSlots; slot += 1)
      runSlot({ stopped: stopped.signal, busy, killedAfterMs }, () => {
        left -= 1;
        if (left === 0) running.delete(name);
      });
  };
  return {
    start: (name) => {
      if (names.has(name)) return;
      names.add(name);
      running.add(name);
      scheduler.at(scheduler.now() + plan.latencyMs() + startMs, () => run(name));
    },
    running: () => running.size,
  };
}
