import type { DeliveryInput } from '../../../core/webhooks/delivery.ts';
import type { DeliverWebhookResult } from '../../../functions/deliver-webhook/app.ts';
import type { Outcome } from './invocation-types.ts';
import type { Services } from './services.ts';
import type { World } from './world.ts';

export type Deliver = (input: DeliveryInput, onEnd: (outcome: Outcome<DeliverWebhookResult>) => void) => void;

/**
 * Executions of the state machine in lib/state-machines/webhook-delivery.ts: a name can be used once, a failed call
 * fails the execution, and waits are whole seconds.
 */
export function deliveryExecutions(world: World, deliver: Deliver): Services['executions'] {
  const { scheduler, plan, log } = world;
  const names = new Set<string>();
  const step = (input: DeliveryInput, afterMs: number) => {
    if (plan.repeats('step')) repeat(input, afterMs);
    scheduler.at(scheduler.now() + afterMs, () =>
      deliver(input, (outcome) => {
        if (outcome === 'dead' || 'error' in outcome || outcome.value.status !== 'retry') return;
        const { waitSeconds, ...next } = outcome.value;
        step(next, waitSeconds * 1_000 + plan.latencyMs());
      }),
    );
  };
  /** Makes the same call again a little later, and ignores the answer. */
  const repeat = (input: DeliveryInput, afterMs: number) => {
    const { jobId } = input;
    log({ kind: 'fault', fault: 'duplicate', app: 'state-machine', invocation: 0, effect: 'step', jobId });
    scheduler.at(scheduler.now() + afterMs + 3, () => deliver(input, () => undefined));
  };
  return {
    start: ({ name, input: { waitSeconds, ...input } }) => {
      if (names.has(name)) return 'exists';
      names.add(name);
      step(input, waitSeconds * 1_000 + plan.latencyMs());
      return 'started';
    },
  };
}
