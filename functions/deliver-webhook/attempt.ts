import type { AttemptOutcome } from '../../core/jobs/attempt-outcome.ts';
import { addMs } from '../../core/jobs/durations.ts';
import type { FileLinks } from '../../core/jobs/ports.ts';
import type { TerminalJob } from '../../core/jobs/record.ts';
import type { UsageCounters } from '../../core/jobs/usage-counter.ts';
import { resultFiles } from '../../core/jobs/view.ts';
import type { OwnerSettings, WebhookEndpoint } from '../../core/settings/owner-settings.ts';
import type { SpendingCounters } from '../../core/spending/spending-counter.ts';
import type { StartDeliveryDeps } from '../../core/termination/terminate-job.ts';
import {
  type AttemptRef,
  type DeliveryAttempt,
  type DeliveryInput,
  type DeliveryJournal,
  type DeliveryRef,
  type EndpointDeliveries,
  type EventBus,
  lostErrorClass,
  lostOutcome,
  slowDeliveryMs,
  slowReceiverMs,
  slowReceiverPeriodMs,
  webhookId,
} from '../../core/webhooks/delivery.ts';
import { buildWebhookPayload } from '../../core/webhooks/payload.ts';
import { activeSigningSecrets, type PostWebhookDeps, postSignedWebhook } from '../../core/webhooks/signature.ts';
import { originOf, type SlowDeliveries } from '../../core/webhooks/slow-deliveries.ts';

export type DeliverWebhookDeps = StartDeliveryDeps &
  PostWebhookDeps & {
    usage: UsageCounters;
    spending: SpendingCounters;
    journal: DeliveryJournal;
    files: FileLinks;
    endpointDeliveries: EndpointDeliveries;
    slowDeliveries: SlowDeliveries;
    /** Deliveries of one owner at the same time to slow receivers. */
    maxSlowDeliveries: number;
    maxSlowOrigins?: number | undefined;
    /** A random number from 0 to below 1. */
    random: () => number;
    /** The wait before each later attempt, from the end of the delivery before it. Empty: none follows the third attempt. */
    laterAttemptsMs: readonly number[];
    eventBus: EventBus;
    onPublishFailed: (cause: unknown) => void;
    /** Receives the error of a slow receiver that was not marked, or of a delivery to one that was not ended. */
    onMarkFailed: (cause: unknown) => void;
  };

export type WebhookMessage = { id: string; body: string; secrets: readonly string[] };

const attemptRetentionSeconds = 30 * 24 * 3600;

/** The attempt before this one; undefined before the first. */
export async function previousAttempt(
  { journal }: DeliverWebhookDeps,
  ref: AttemptRef,
): Promise<DeliveryAttempt | undefined> {
  return ref.attempt === 1 ? undefined : journal.get({ ...ref, attempt: ref.attempt - 1 });
}

/**
 * Closes an attempt that has no outcome: its function crashed. It counts as failed from now on, so that no 2xx is
 * recorded for it after the next attempt has begun.
 */
export async function closeLostAttempt(
  { journal, clock }: DeliverWebhookDeps,
  attempt: DeliveryAttempt | undefined,
): Promise<DeliveryAttempt | undefined> {
  if (attempt === undefined || attempt.outcome !== undefined) return attempt;
  const lost = { ...attempt, outcome: lostOutcome(attempt, clock.now()) };
  const closed = await journal.close(lost);
  return closed.written ? lost : closed.current;
}

/** Renders a job's webhook with fresh signed URLs. */
export async function renderWebhook(
  deps: DeliverWebhookDeps,
  job: TerminalJob,
  { settings, endpoint }: { settings: OwnerSettings; endpoint: WebhookEndpoint | undefined },
): Promise<WebhookMessage> {
  const secrets = endpoint === undefined ? await activeSigningSecrets(deps, settings) : [endpoint.secret];
  const files = resultFiles(job, deps.files, deps.clock.now());
  return { id: webhookId(job.jobId, endpoint?.id), body: JSON.stringify(buildWebhookPayload(job, files)), secrets };
}

/** An attempt that has ended, and whether its outcome is recorded. */
export type EndedAttempt = { attempt: DeliveryAttempt; isRecorded: boolean };

/**
 * Opens an attempt in the journal, waits until `notBefore`, makes the POST and records its outcome in the journal, unless
 * `isLeftOpen` says that the caller records it. If the journal has the attempt already, nothing is sent and the recorded
 * attempt is returned. Undefined if another function has closed it.
 */
export async function makeAttempt(
  deps: DeliverWebhookDeps,
  {
    message,
    url,
    input,
    isLeftOpen,
  }: {
    message: WebhookMessage;
    url: string;
    input: DeliveryInput;
    isLeftOpen: (outcome: AttemptOutcome) => boolean;
  },
): Promise<EndedAttempt | undefined> {
  const { journal, clock } = deps;
  const attempt = newAttempt(deps, { url, input });
  const opened = await journal.open(attempt);
  if (!opened.written) return opened.current && { attempt: opened.current, isRecorded: true };

  await clock.sleep(input.notBefore - clock.now().getTime());
  const { ok, ...measured } = await postSignedWebhook(deps, { ...message, url });
  const outcome = { ...measured, delivered: ok, endedAt: clock.now().toISOString() };
  const ended = { ...attempt, outcome };
  if (isLeftOpen(outcome)) return { attempt: ended, isRecorded: false };
  const closed = await journal.close(ended);
  return closed.written ? { attempt: ended, isRecorded: true } : undefined;
}

function newAttempt(
  { clock, newId }: DeliverWebhookDeps,
  { url, input }: { url: string; input: DeliveryInput },
): DeliveryAttempt {
  const { ownerId, jobId, deliveryId, attempt, notBefore } = input;
  const startsAt = Math.max(clock.now().getTime(), notBefore);
  return {
    ownerId,
    jobId,
    deliveryId,
    attempt,
    writerId: newId(),
    startedAt: new Date(startsAt).toISOString(),
    url,
    expiresAt: Math.ceil(startsAt / 1000) + attemptRetentionSeconds,
  };
}

/**
 * Whether an attempt may be made now. Of an owner's deliveries to slow origins only `maxSlowDeliveries` run at the same time,
 * and at most half of these to one origin, because each attempt holds a function until the receiver responds. A delivery that
 * has begun keeps its schedule: only a first attempt is deferred.
 */
export async function mayAttempt(
  { slowDeliveries, maxSlowDeliveries: max, maxSlowOrigins: maxOrigins, clock }: DeliverWebhookDeps,
  { attempt, notBefore, ...delivery }: DeliveryInput,
  { settings, url, nextDelayMs }: { settings: OwnerSettings; url: string; nextDelayMs: number },
): Promise<boolean> {
  const now = clock.now();
  if (!hasSlowReceivers(settings, now)) return true;
  const startsAt = Math.max(now.getTime(), notBefore);
  const endsAt = new Date(startsAt + slowDeliveryMs + nextDelayMs);
  const mayBegin = await slowDeliveries.enter({ ...delivery, origin: originOf(url), endsAt }, { max, maxOrigins, now });
  return mayBegin || attempt > 1;
}

/**
 * Ends a delivery and sends the next one to the queue. After a failure this one expires, and reconcile starts the next: the
 * event is published in any case.
 */
export async function endSlowDelivery(
  { slowDeliveries, maxSlowDeliveries, deliveries, clock, onMarkFailed }: DeliverWebhookDeps,
  delivery: DeliveryRef,
  settings: OwnerSettings,
): Promise<void> {
  const now = clock.now();
  if (!hasSlowReceivers(settings, now)) return;
  const nextEndsAt = new Date(now.getTime() + slowDeliveryMs);
  try {
    const next = await slowDeliveries.leave(delivery, { max: maxSlowDeliveries, now, nextEndsAt });
    if (next !== undefined) await deliveries.send(next);
  } catch (cause) {
    onMarkFailed(cause);
  }
}

/**
 * Limits the deliveries to an origin after a slow response. Two failed attempts in a row count together: a receiver that fails
 * just before it is slow has each delivery hold a function several times. After a failure the next slow response marks the
 * origin: this attempt still has to be recorded.
 */
export async function markSlowReceiver(
  { settings, slowDeliveries, clock, onMarkFailed }: DeliverWebhookDeps,
  { ownerId, slowReceiversUntil = '' }: OwnerSettings,
  { previous, ended }: { previous: DeliveryAttempt | undefined; ended: DeliveryAttempt },
): Promise<void> {
  const failedBefore = ended.outcome?.delivered === true ? undefined : previous;
  if (latencyOf(failedBefore) + latencyOf(ended) < slowReceiverMs) return;
  const now = clock.now();
  const until = new Date(now.getTime() + slowReceiverPeriodMs);
  try {
    await slowDeliveries.mark({ ownerId, origin: originOf(ended.url) }, { until, now });
    // The item of marks is read only while the settings say that the owner has any: at least as long as each of them.
    if (slowReceiversUntil > addMs(now, slowReceiverPeriodMs)) return;
    await settings.markSlowReceivers(ownerId, new Date(until.getTime() + slowReceiverPeriodMs / 2));
  } catch (cause) {
    onMarkFailed(cause);
  }
}

/** The latency of a lost attempt is that of its function, until the loss was found. */
function latencyOf(attempt: DeliveryAttempt | undefined): number {
  const { latencyMs = 0, errorClass } = attempt?.outcome ?? {};
  return errorClass === lostErrorClass ? 0 : latencyMs;
}

function hasSlowReceivers({ slowReceiversUntil = '' }: OwnerSettings, now: Date): boolean {
  return now.toISOString() < slowReceiversUntil;
}
