import { addMs } from '../../core/jobs/durations.ts';
import type { OwnerSettings } from '../../core/settings/owner-settings.ts';
import {
  type DeliveryAttempt,
  type DeliveryInput,
  type DeliveryRef,
  lostErrorClass,
} from '../../core/webhooks/attempt.ts';
import { slowDeliveryMs, slowReceiverMs, slowReceiverPeriodMs } from '../../core/webhooks/delivery.ts';
import { originOf } from '../../core/webhooks/slow-deliveries.ts';
import type { DeliverWebhookDeps } from './attempt.ts';

/**
 * Whether an attempt may be made now. Of an owner's deliveries to slow origins only `maxSlowDeliveries` run at the same time,
 * and at most half of these to one origin, because each attempt holds a function until the receiver responds. A delivery that
 * has begun keeps its schedule: only a first attempt is deferred.
 */
export async function mayAttempt(
  { slowDeliveries, maxSlowDeliveries, clock }: DeliverWebhookDeps,
  { attempt, notBefore, ...delivery }: DeliveryInput,
  { settings, url, nextDelayMs }: { settings: OwnerSettings; url: string; nextDelayMs: number },
): Promise<boolean> {
  const now = clock.now();
  if (!hasSlowReceivers(settings, now)) return true;
  const startsAt = Math.max(now.getTime(), notBefore);
  const endsAt = new Date(startsAt + slowDeliveryMs + nextDelayMs);
  const mayBegin = await slowDeliveries.enter(
    { ...delivery, origin: originOf(url), endsAt },
    { max: maxSlowDeliveries, now },
  );
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
