import * as z from 'zod';
import { isTerminal, type JobRecord, type TerminalJob } from '../../core/jobs/record.ts';
import {
  deferDelivery,
  recordDeliveryAttempt,
  settleDelivery,
} from '../../core/jobs/terminal-transitions.ts';
import type { DeliveryAttempt } from '../../core/webhooks/attempt.ts';
import { type BusEvent, busEvent } from '../../core/webhooks/bus-event.ts';
import { nextAttempt } from '../../core/webhooks/delivery.ts';
import { countUsage } from '../usage/count-usage.ts';
import {
  closeLostAttempt,
  type DeliverWebhookDeps,
  makeAttempt,
  previousAttempt,
  renderWebhook,
} from './attempt.ts';
import { endSlowDelivery, markSlowReceiver, mayAttempt } from './slow-receivers.ts';

/** Payload of one invocation by the state machine: the execution's input, and the delays of the definition. */
export const deliverWebhookInputSchema = z.object({
  ownerId: z.string(),
  jobId: z.string(),
  deliveryId: z.string(),
  attempt: z.int().min(1),
  /** Unix milliseconds before which the attempt is not made. */
  notBefore: z.int(),
  /** The wait before each attempt, from the end of the one before; as many as there are attempts. */
  delaysMs: z.array(z.int().min(0)),
});

export type DeliverWebhookInput = z.output<typeof deliverWebhookInputSchema>;

/** The next step of the state machine: wait and call again, publish the event, or end without one. */
export type DeliverWebhookResult =
  | { status: 'retry'; attempt: number; notBefore: number; waitSeconds: number }
  | ({ status: 'settled' } & BusEvent)
  | { status: 'done' };

/**
 * Makes attempt n to deliver a job's terminal event. There is at most one POST per n, even after a crash or a second
 * invocation: only the function that opened the attempt in the journal sends it.
 */
export function deliverWebhook(
  deps: DeliverWebhookDeps,
): (input: DeliverWebhookInput) => Promise<DeliverWebhookResult> {
  return async (input) => {
    // All reads at once: each millisecond here delays the POST.
    const [job, before, settings] = await Promise.all([
      deps.jobs.get(input),
      previousAttempt(deps, input),
      deps.settings.get(input.ownerId),
    ]);
    if (!isPendingDelivery(job, input.deliveryId)) return { status: 'done' };
    if (job.webhookTarget === null) return settle(deps, job, input, 'none');

    const previous = await closeLostAttempt(deps, before);
    if (previous?.outcome?.delivered === true) return settle(deps, job, input, 'delivered');
    if (input.attempt > input.delaysMs.length) return settle(deps, job, input, 'abandoned');

    const nextDelayMs = input.delaysMs[input.attempt] ?? 0;
    if (!(await mayAttempt(deps, input, { settings, nextDelayMs }))) {
      await countUsageOnce(deps, job);
      await deps.jobs.write(deferDelivery(job, { deliveryId: input.deliveryId, now: deps.clock.now() }));
      return { status: 'done' };
    }
    const change = recordDeliveryAttempt(job, {
      deliveryId: input.deliveryId,
      nextDelayMs,
      now: deps.clock.now(),
    });
    const [{ written }, message] = await Promise.all([
      deps.jobs.write(change),
      renderWebhook(deps, job, settings),
    ]);
    if (!written) return { status: 'done' };
    const attempt = await makeAttempt(deps, { message, url: job.webhookTarget, input });
    if (attempt === undefined) return { status: 'done' };
    await markSlowReceiver(deps, settings, attempt);
    const result = await settleOrRetry(deps, change.job, input, attempt);
    if (result.status !== 'retry') await endSlowDelivery(deps, input, settings);
    return result;
  };
}

async function settleOrRetry(
  deps: DeliverWebhookDeps,
  job: TerminalJob,
  input: DeliverWebhookInput,
  { outcome }: DeliveryAttempt,
): Promise<DeliverWebhookResult> {
  if (outcome === undefined) return { status: 'done' };
  if (outcome.delivered) return settle(deps, job, input, 'delivered');
  const next = nextAttempt({ attempt: input.attempt, endedAt: outcome.endedAt, delaysMs: input.delaysMs });
  return next === undefined ? settle(deps, job, input, 'abandoned') : { status: 'retry', ...next };
}

async function settle(
  deps: DeliverWebhookDeps,
  job: TerminalJob,
  { deliveryId }: DeliverWebhookInput,
  outcome: 'delivered' | 'abandoned' | 'none',
): Promise<DeliverWebhookResult> {
  await countUsageOnce(deps, job);
  const { written } = await deps.jobs.write(settleDelivery(job, deliveryId, outcome));
  const isRedelivery = job.pendingDelivery?.redelivery === true;
  return written && !isRedelivery ? { status: 'settled', ...busEvent(job) } : { status: 'done' };
}

/** Counts the usage before the write that tells that it is counted. */
async function countUsageOnce(deps: DeliverWebhookDeps, job: TerminalJob): Promise<void> {
  if (job.usageCounted === false) await countUsage(deps, job);
}

function isPendingDelivery(job: JobRecord | undefined, deliveryId: string): job is TerminalJob {
  return job !== undefined && isTerminal(job) && job.pendingDelivery?.id === deliveryId;
}
