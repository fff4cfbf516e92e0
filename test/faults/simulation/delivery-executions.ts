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
 * Executions of the state machine in lib/state-machines/webhook-delivery.ts: a name can be used once, a failed call
 * fails the execution, and waits are whole seconds.
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
  /** Makes the same call again a little later, and ignores the answer. */
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
