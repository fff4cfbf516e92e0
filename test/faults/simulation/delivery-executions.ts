import type { DeliverWebhookInput, DeliverWebhookResult } from '../../../functions/deliver-webhook/app.ts';
import type { Outcome } from './invocation-types.ts';
import type { Services } from './services.ts';
import type { World } from './world.ts';

const delaysMs = [0, 500, 1000];

export type Deliver = (
  input: DeliverWebhookInput,
  onEnd: (outcome: Outcome<DeliverWebhookResult>) => void,
) => void;

/**
 * The state machine of deliveries, as lib/state-machines/webhook-delivery.ts writes it: a name can be used once for good, a call
 * that fails fails the execution, and only whole seconds are waited.
 */
export function deliveryExecutions(world: World, deliver: Deliver): Services['executions'] {
  const { scheduler, plan, log } = world;
  const names = new Set<string>();
  const step = (input: DeliverWebhookInput, afterMs: number) => {
    if (plan.repeats('step')) repeat(input, afterMs);
    scheduler.at(scheduler.now() + afterMs, () =>
      deliver(input, (outcome) => {
        if (outcome === 'dead' || 'error' in outcome) return;
        const result = outcome.value;
        if (result.status === 'settled') log({ kind: 'published', jobId: input.jobId });
        if (result.status !== 'retry') return;
        const { attempt, notBefore, waitSeconds } = result;
        step({ ...input, attempt, notBefore }, waitSeconds * 1_000 + plan.latencyMs());
      }),
    );
  };
  /** The same call once more, a moment later, whose answer nobody waits for. */
  const repeat = (input: DeliverWebhookInput, afterMs: number) => {
    const { jobId } = input;
    log({ kind: 'fault', fault: 'duplicate', app: 'state-machine', invocation: 0, effect: 'step', jobId });
    scheduler.at(scheduler.now() + afterMs + 3, () => deliver(input, () => undefined));
  };
  return {
    start: ({ name, input }) => {
      if (names.has(name)) return 'exists';
      names.add(name);
      step({ ...input, delaysMs }, plan.latencyMs());
      return 'started';
    },
  };
}
