import type { Outcome } from './invocation-types.ts';
import type { World } from './world.ts';

/** Runs the function for a message and reports its outcome. */
export type Consumer<Message> = (message: Message, onEnd: (outcome: Outcome<unknown>) => void) => void;

export type QueueOptions = { visibilityTimeoutMs: number; maxReceives: number; maxConcurrency?: number };

/**
 * A standard queue with its event source mapping: a message is delivered at least once, in no order, and again after
 * its visibility time-out unless the function returned, up to `maxReceives` times. No more than `maxConcurrency` messages
 * are processed at the same time.
 */
export function queueOf<Message>(
  world: World,
  consumer: Consumer<Message>,
  { visibilityTimeoutMs, maxReceives, maxConcurrency = Number.POSITIVE_INFINITY }: QueueOptions,
): { send(message: Message, delayMs?: number): void } {
  const { scheduler, plan } = world;
  const visible: { message: Message; receives: number }[] = [];
  let running = 0;
  const receive = () => {
    if (running >= maxConcurrency) return;
    const next = visible.shift();
    if (next === undefined) return;
    const { message, receives } = next;
    running += 1;
    consumer(message, (outcome) => {
      running -= 1;
      const isAcknowledged = outcome !== 'dead' && 'value' in outcome;
      if (!isAcknowledged && receives < maxReceives) deliver(message, receives + 1, visibilityTimeoutMs);
      receive();
    });
  };
  const deliver = (message: Message, receives: number, afterMs: number) => {
    scheduler.at(scheduler.now() + afterMs, () => {
      visible.push({ message, receives });
      receive();
    });
  };
  return {
    send: (message, delayMs = 0) => {
      deliver(message, 1, delayMs + plan.latencyMs());
      if (plan.repeats('message')) deliver(message, 1, plan.delayMs('duplicate'));
    },
  };
}
