import type { JobRef } from '../../../core/jobs/ports.ts';
import type { Outcome } from './invocation-types.ts';
import type { World } from './world.ts';

const visibilityTimeoutMs = 90 * 60_000;
const maxReceives = 5;

/** Runs the worker for a message and reports its outcome. */
export type Worker = (ref: JobRef, onEnd: (outcome: Outcome<unknown>) => void) => void;

/**
 * A standard queue with its event source mapping: a message is delivered at least once, in no order, and again after
 * its visibility time-out unless the worker returned. After five receives it goes to the dead-letter queue.
 */
export function queueOf(world: World, worker: Worker): { send(ref: JobRef): void } {
  const { scheduler, plan } = world;
  const deliver = (ref: JobRef, receives: number, afterMs: number) => {
    scheduler.at(scheduler.now() + afterMs, () =>
      worker(ref, (outcome) => {
        const isAcknowledged = outcome !== 'dead' && 'value' in outcome;
        if (!isAcknowledged && receives < maxReceives) deliver(ref, receives + 1, visibilityTimeoutMs);
      }),
    );
  };
  return {
    send: (ref) => {
      deliver(ref, 1, plan.latencyMs());
      if (plan.repeats('message')) deliver(ref, 1, plan.delayMs('duplicate'));
    },
  };
}
