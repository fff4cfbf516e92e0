import * as z from 'zod';
import type { AttemptOutcome } from '../../core/jobs/attempt-outcome.ts';
import {
  abandonDelivery,
  deferDelivery,
  isEarlyAttempt,
  recordDeliveryAttempt,
  settleDelivered,
  settleDelivery,
} from '../../core/jobs/delivery-transitions.ts';
import { addMs, durations } from '../../core/jobs/durations.ts';
import type { WriteResult } from '../../core/jobs/ports.ts';
import { isTerminal, type JobRecord, type TerminalJob } from '../../core/jobs/record.ts';
import { deliveryIdTo, endpointOf, type OwnerSettings, wantsEvent } from '../../core/settings/owner-settings.ts';
import { countUsage } from '../../core/spending/count-usage.ts';
import { startDelivery } from '../../core/termination/terminate-job.ts';
import {
  busEvent,
  type DeliveryAttempt,
  type DeliveryInput,
  type DeliveryRef,
  type DeliveryRetries,
  type DeliveryRetry,
  delaysOf,
  deliveryExecutionName,
  jobsTo,
  nextAttempt,
} from '../../core/webhooks/delivery.ts';
import {
  closeLostAttempt,
  type DeliverWebhookDeps,
  endSlowDelivery,
  makeAttempt,
  markSlowReceiver,
  mayAttempt,
  previousAttempt,
  renderWebhook,
} from './attempt.ts';

export const deliveryRefSchema = z.object({ ownerId: z.string(), jobId: z.string(), deliveryId: z.string() });

/** Payload of one invocation by the state machine. */
export const deliveryInputSchema = deliveryRefSchema.extend({
  attempt: z.int().min(1),
  /** Unix milliseconds before which the attempt is not made. */
  notBefore: z.int(),
});

/** The next step of a delivery: the input of the next call after a wait, or none. */
export type DeliverWebhookResult = ({ status: 'retry' } & DeliveryRetry) | { status: 'settled' | 'done' };

/**
 * Makes the first attempt of a delivery. If it fails, starts a state machine, which schedules the others. A repeated message
 * starts it under the same name, which Step Functions ignores.
 */
export function beginDelivery(deps: BeginDeliveryDeps): (delivery: DeliveryRef) => Promise<DeliverWebhookResult> {
  const deliver = deliverWebhook(deps);
  return async (delivery) => {
    const result = await deliver({ ...delivery, attempt: 1, notBefore: deps.clock.now().getTime() });
    if (result.status === 'retry') {
      const { status: _, ...input } = result;
      await deps.retries.start({ name: deliveryExecutionName(delivery.deliveryId, 0), input });
    }
    return result;
  };
}

export type BeginDeliveryDeps = DeliverWebhookDeps & { retries: DeliveryRetries };

/**
 * Makes attempt n to deliver a job's terminal event. There is at most one POST per n, even after a crash or a second
 * invocation: only the function that opened the attempt in the journal sends it.
 */
export function deliverWebhook(ports: DeliverWebhookDeps): (input: DeliveryInput) => Promise<DeliverWebhookResult> {
  return async (input) => {
    // All reads at once: each millisecond here delays the POST.
    const endpointId = endpointOf(input.deliveryId);
    const jobs = endpointId === undefined ? ports.jobs : jobsTo(endpointId, ports);
    const [job, before, settings] = await Promise.all([
      jobs.get(input),
      previousAttempt(ports, input),
      ports.settings.get(input.ownerId),
    ]);
    let begun: Promise<void> | undefined;
    const beginOthers = (ended: TerminalJob) => (begun ??= beginEndpoints(ports, ended, settings));
    const deps = { ...ports, jobs, beginOthers };
    if (!isPendingDelivery(job, input.deliveryId)) {
      await endSlowDelivery(deps, input, settings);
      return { status: 'done' };
    }
    const endpoint = settings.webhookEndpoints?.list.find(({ id, disabled }) => id === endpointId && !disabled);
    const url = endpointId === undefined ? job.webhookTarget : endpoint?.url;
    if (typeof url !== 'string') return settle(deps, job, input, 'none');

    const previous = await closeLostAttempt(deps, before);
    if (previous?.outcome?.delivered === true) return settle(deps, job, input, 'delivered');
    const delaysMs = delaysOf(job.pendingDelivery);
    if (input.attempt > delaysMs.length) return settle(deps, job, input, 'abandoned');

    const nextDelayMs = delaysMs[input.attempt] ?? 0;
    if (!(await mayAttempt(deps, input, { settings, url, nextDelayMs }))) {
      await beginOthers(job);
      await countUsageOnce(deps, job);
      const { clock, random } = deps;
      const { deliveryId } = input;
      await deps.jobs.write(deferDelivery(job, { deliveryId, now: clock.now(), random: random() }));
      return { status: 'done' };
    }
    const [delayed, message] = await Promise.all([
      delayReconcile(deps, job, { deliveryId: input.deliveryId, nextDelayMs }),
      renderWebhook(deps, job, { settings, endpoint }),
    ]);
    if (delayed === undefined) return { status: 'done' };
    // A redelivery would replace the outcome of the delivery before it.
    const isLeftOpen = (outcome: AttemptOutcome) =>
      outcome.delivered &&
      job.pendingDelivery?.redelivery === false &&
      JSON.stringify(outcome).length <= maxRecordedCharacters;
    const ended = await makeAttempt(deps, { message, url, input, isLeftOpen });
    if (ended === undefined) return { status: 'done' };
    if (input.attempt === 1) await beginOthers(job);
    await markSlowReceiver(deps, settings, { previous, ended: ended.attempt });
    const result = ended.isRecorded
      ? await settleOrRetry(deps, delayed, input, ended.attempt)
      : await settleAndRecord(deps, delayed, input, ended.attempt);
    if (result.status !== 'retry') await endSlowDelivery(deps, input, settings);
    return result;
  };
}

/** The ports of one delivery: the table of jobs as it sees it, and what begins the deliveries to endpoints. */
type DeliveryDeps = DeliverWebhookDeps & { beginOthers: (job: TerminalJob) => Promise<void> };

/**
 * Has reconcile leave the delivery alone during the next attempt. Returns the job with the time until which it does;
 * undefined if another function has resumed the delivery.
 */
async function delayReconcile(
  { jobs, clock }: DeliverWebhookDeps,
  job: TerminalJob,
  { deliveryId, nextDelayMs }: { deliveryId: string; nextDelayMs: number },
): Promise<TerminalJob | undefined> {
  const now = clock.now();
  if (isEarlyAttempt(job, { nextDelayMs, now })) return job;
  const change = recordDeliveryAttempt(job, { deliveryId, nextDelayMs, now });
  return (await jobs.write(change)).written ? change.job : undefined;
}

/**
 * Ends the delivery and records its 2xx in one write. If reconcile has moved the job meanwhile, a further attempt may have
 * begun: then the journal decides whether this one was delivered or lost.
 */
async function settleAndRecord(
  deps: DeliveryDeps,
  job: TerminalJob,
  input: DeliveryInput,
  attempt: DeliveryAttempt,
): Promise<DeliverWebhookResult> {
  const { outcome, deliveryId } = attempt;
  if (outcome === undefined) return { status: 'done' };
  await deps.beginOthers(job);
  await countUsageOnce(deps, job);
  const change = settleDelivered(job, { deliveryId, attempt: attempt.attempt, outcome });
  const result = await deps.jobs.write(change);
  if (result.written) return publishEvent(deps, job, result);
  const closed = await deps.journal.close(attempt);
  return closed.written ? settle(deps, job, input, 'delivered') : { status: 'done' };
}

async function settleOrRetry(
  deps: DeliveryDeps,
  job: TerminalJob,
  input: DeliveryInput,
  { outcome }: DeliveryAttempt,
): Promise<DeliverWebhookResult> {
  if (outcome === undefined) return { status: 'done' };
  if (outcome.delivered) return settle(deps, job, input, 'delivered');
  const { ownerId, jobId, deliveryId, attempt } = input;
  const delaysMs = delaysOf(job.pendingDelivery ?? {});
  const next = nextAttempt({ attempt, endedAt: outcome.endedAt, delaysMs });
  if (next === undefined) return settle(deps, job, input, 'abandoned');
  return { status: 'retry', ownerId, jobId, deliveryId, ...next };
}

/** Ends the delivery, then publishes the job's event: best effort, only the webhook and the record are guaranteed. */
async function settle(
  deps: DeliveryDeps,
  job: TerminalJob,
  { deliveryId }: DeliveryInput,
  outcome: 'delivered' | 'abandoned' | 'none',
): Promise<DeliverWebhookResult> {
  await deps.beginOthers(job);
  await countUsageOnce(deps, job);
  const { clock, laterAttemptsMs } = deps;
  const change =
    outcome === 'abandoned'
      ? abandonDelivery(job, { deliveryId, now: clock.now(), laterAttemptsMs })
      : settleDelivery(job, deliveryId, outcome);
  return publishEvent(deps, job, await deps.jobs.write(change));
}

/** Of two functions that settle a delivery, one publishes the event of its job. */
async function publishEvent(
  deps: DeliverWebhookDeps,
  job: TerminalJob,
  result: WriteResult,
): Promise<DeliverWebhookResult> {
  if (!result.written || result.isRepeat) return { status: 'done' };
  const isRedelivery = job.pendingDelivery?.redelivery === true;
  if (!isRedelivery) await deps.eventBus.publish(busEvent(job)).catch(deps.onPublishFailed);
  return { status: 'settled' };
}

/** Call it before the write that marks the usage as counted: a crash in between repeats the count, which changes nothing. */
async function countUsageOnce(deps: DeliverWebhookDeps, job: TerminalJob): Promise<void> {
  if (job.usageCounted === false) await countUsage(deps, job);
}

type PendingJob = TerminalJob & { pendingDelivery: object };

function isPendingDelivery(job: JobRecord | undefined, deliveryId: string): job is PendingJob {
  return job !== undefined && isTerminal(job) && job.pendingDelivery?.id === deliveryId;
}

/**
 * Begins the deliveries of a job to the endpoints of its owner that want its event. The first delivery to its target does so
 * after its first attempt, and again before it is settled: if its function dies in between, reconcile resumes it.
 */
async function beginEndpoints(
  deps: DeliverWebhookDeps,
  job: TerminalJob,
  { webhookEndpoints }: OwnerSettings,
): Promise<void> {
  if (job.pendingDelivery?.redelivery !== false) return;
  const { endpointDeliveries, clock, newId } = deps;
  const { ownerId, jobId, state } = job;
  const begin = async ({ id: endpointId, url }: { id: string; url: string }) => {
    const pendingDelivery = { id: deliveryIdTo(endpointId, newId()), starts: 0, redelivery: true };
    const dueAt = addMs(clock.now(), durations.deliveryStartMs);
    const delivery = { state, webhookTarget: url, pendingDelivery, dueAt };
    const isNew = await endpointDeliveries.write({ ownerId, jobId, endpointId }, delivery, { absent: true });
    if (isNew) await startDelivery(deps, { ownerId, jobId, pendingDelivery });
  };
  await Promise.all((webhookEndpoints?.list ?? []).filter((endpoint) => wantsEvent(endpoint, job)).map(begin));
}

/** So that the record of a job stays small. A longer answer of a receiver stays in the journal. */
const maxRecordedCharacters = 400;
