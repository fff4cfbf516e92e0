import { isTerminal, type JobRecord, type TerminalJob } from '../../core/jobs/record.ts';
import { recordDeliveryAttempt, settleDelivery } from '../../core/jobs/terminal-transitions.ts';
import type { DeliveryAttempt } from '../../core/webhooks/attempt.ts';
import { type BusEvent, busEvent } from '../../core/webhooks/bus-event.ts';
import { nextAttempt } from '../../core/webhooks/delivery.ts';
import type { DeliveryInput } from '../../core/webhooks/ports.ts';
import { type AttemptDeps, makeAttempt } from './attempt.ts';
import { closeLostAttempt, previousAttempt } from './previous.ts';
import { renderWebhook } from './render-webhook.ts';

export type DeliverWebhookDeps = AttemptDeps;

/** One call by the state machine: its input, and the schedule that the machine carries. */
export type DeliverWebhookInput = DeliveryInput & {
  /** The wait before each attempt, in milliseconds from the end of the one before; as many as there are attempts. */
  delaysMs: readonly number[];
};

/** What the state machine does next: wait and call again, publish the event, or end in silence. */
export type DeliverWebhookResult =
  | { status: 'retry'; attempt: number; notBefore: number; waitSeconds: number }
  | ({ status: 'settled' } & BusEvent)
  | { status: 'done' };

/**
 * Makes the n-th attempt to deliver a job's terminal event. At most one POST is made for each n, whatever is called
 * twice or dies half-way: only the writer of an attempt's journal entry may make it.
 */
export function deliverWebhook(
  ports: DeliverWebhookDeps,
): (input: DeliverWebhookInput) => Promise<DeliverWebhookResult> {
  return async (input) => {
    // What can be read at once is: every millisecond here is one that an attempt may come late.
    const [job, before] = await Promise.all([ports.jobs.get(input), previousAttempt(ports, input)]);
    if (!awaits(job, input.deliveryId)) return { status: 'done' };
    if (job.webhookTarget === null) return settle(ports, job, input, 'none');

    const previous = await closeLostAttempt(ports, before);
    if (previous?.outcome?.delivered === true) return settle(ports, job, input, 'delivered');
    if (input.attempt > input.delaysMs.length) return settle(ports, job, input, 'abandoned');

    const nextDelayMs = input.delaysMs[input.attempt] ?? 0;
    const noted = recordDeliveryAttempt(job, {
      deliveryId: input.deliveryId,
      nextDelayMs,
      now: ports.clock.now(),
    });
    const [{ written }, message] = await Promise.all([ports.jobs.write(noted), renderWebhook(ports, job)]);
    if (!written) return { status: 'done' };
    const attempt = await makeAttempt(ports, { message, url: job.webhookTarget, input });
    return attempt === undefined ? { status: 'done' } : proceed(ports, noted.job, input, attempt);
  };
}

async function proceed(
  ports: DeliverWebhookDeps,
  job: TerminalJob,
  input: DeliverWebhookInput,
  { outcome }: DeliveryAttempt,
): Promise<DeliverWebhookResult> {
  if (outcome === undefined) return { status: 'done' };
  if (outcome.delivered) return settle(ports, job, input, 'delivered');
  const next = nextAttempt({ attempt: input.attempt, endedAt: outcome.endedAt, delaysMs: input.delaysMs });
  return next === undefined ? settle(ports, job, input, 'abandoned') : { status: 'retry', ...next };
}

async function settle(
  { jobs }: DeliverWebhookDeps,
  job: TerminalJob,
  { deliveryId }: DeliverWebhookInput,
  outcome: 'delivered' | 'abandoned' | 'none',
): Promise<DeliverWebhookResult> {
  const { written } = await jobs.write(settleDelivery(job, deliveryId, outcome));
  const isRepeat = job.pendingDelivery?.redelivery === true;
  return written && !isRepeat ? { status: 'settled', ...busEvent(job) } : { status: 'done' };
}

function awaits(job: JobRecord | undefined, deliveryId: string): job is TerminalJob {
  return job !== undefined && isTerminal(job) && job.pendingDelivery?.id === deliveryId;
}
