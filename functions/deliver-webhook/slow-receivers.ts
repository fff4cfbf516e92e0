import { addMs } from '../../core/jobs/durations.ts';
import type { OwnerSettings } from '../../core/settings/owner-settings.ts';
import { type DeliveryAttempt, lostErrorClass } from '../../core/webhooks/attempt.ts';
import { slowDeliveryMs, slowReceiverMs, slowReceiverPeriodMs } from '../../core/webhooks/delivery.ts';
import type { DeliveryInput } from '../../core/webhooks/ports.ts';
import type { DeliverWebhookDeps } from './attempt.ts';

/**
 * Whether an attempt may be made now. While an owner's receivers are slow, only `maxSlowDeliveries` of its deliveries
 * begin at the same time, because each attempt holds a function until the receiver responds. A delivery that has begun
 * keeps its schedule: only a first attempt is deferred.
 */
export async function mayAttempt(
  { slowDeliveries, maxSlowDeliveries, clock }: DeliverWebhookDeps,
  { ownerId, deliveryId, attempt, notBefore }: DeliveryInput,
  { settings, nextDelayMs }: { settings: OwnerSettings; nextDelayMs: number },
): Promise<boolean> {
  const now = clock.now();
  if (!isSlow(settings, now)) return true;
  const startsAt = Math.max(now.getTime(), notBefore);
  const endsAt = new Date(startsAt + slowDeliveryMs + nextDelayMs);
  const hasBegun = await slowDeliveries.take(
    { group: ownerId, holder: deliveryId, endsAt },
    { max: maxSlowDeliveries, now },
  );
  return hasBegun || attempt > 1;
}

/** Lets the next delivery begin. After a failure it begins when this one expires: the event is published in any case. */
export async function endSlowDelivery(
  { slowDeliveries, clock }: DeliverWebhookDeps,
  { ownerId, deliveryId }: DeliveryInput,
  settings: OwnerSettings,
): Promise<void> {
  if (!isSlow(settings, clock.now())) return;
  await slowDeliveries.free({ group: ownerId, holder: deliveryId }).catch(() => undefined);
}

/**
 * Limits the owner's deliveries after a slow response. Two failed attempts in a row count together: a receiver that fails
 * just before it is slow has each delivery hold a function several times. Writes at most once in half of the period. After a
 * failure the next slow response marks the receivers: this attempt still has to be recorded.
 */
export async function markSlowReceiver(
  { settings, clock, onMarkFailed }: DeliverWebhookDeps,
  { ownerId, slowReceiversUntil = '' }: OwnerSettings,
  { previous, ended }: { previous: DeliveryAttempt | undefined; ended: DeliveryAttempt },
): Promise<void> {
  const failedBefore = ended.outcome?.delivered === true ? undefined : previous;
  if (latencyOf(failedBefore) + latencyOf(ended) < slowReceiverMs) return;
  const now = clock.now();
  if (slowReceiversUntil > addMs(now, slowReceiverPeriodMs / 2)) return;
  const until = new Date(now.getTime() + slowReceiverPeriodMs);
  await settings.markSlowReceivers(ownerId, until).catch(onMarkFailed);
}

/** The latency of a lost attempt is that of its function, until the loss was found. */
function latencyOf(attempt: DeliveryAttempt | undefined): number {
  const { latencyMs = 0, errorClass } = attempt?.outcome ?? {};
  return errorClass === lostErrorClass ? 0 : latencyMs;
}

function isSlow({ slowReceiversUntil = '' }: OwnerSettings, now: Date): boolean {
  return now.toISOString() < slowReceiversUntil;
}
