import type { Outcome } from './invocation-types.ts';
import type { World } from './world.ts';

/** Runs the function for a message and reports its outcome. */
export type Consumer<Message> = (message: Message, onEnd: (outcome: Outcome<unknown>) => void) => void;

export type QueueOptions = { visibilityTimeoutMs: number; maxReceives: number };

/**
 * A standard queue with its event source mapping: a message is delivered at least once, in no order, and again after
 * its visibility time-out unless the function returned, up to `maxReceives` times.
 */
export function queueOf<Message>(
  world: World,
  consumer: Consumer<Message>,
  { visibilityTimeoutMs, maxReceives }: QueueOptions,
): { send(message: Message): void } {
  const { scheduler, plan } = world;
  const deliver = (message: Message, receives: number, afterMs: number) => {
    scheduler.at(scheduler.now() + afterMs, () =>
      consumer(message, (outcome) => {
        const isAcknowledged = outcome !== 'dead' && 'value' in outcome;
        if (!isAcknowledged && receives < maxReceives) deliver(message, receives + 1, visibilityTimeoutMs);
      }),
    );
  };
  return {
    send: (message) => {
      deliver(message, 1, plan.latencyMs());
      if (plan.repeats('message')) deliver(message, 1, plan.delayMs('duplicate'));
    },
  };
}
