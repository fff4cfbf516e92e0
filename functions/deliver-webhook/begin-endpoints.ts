import { addMs, durations } from '../../core/jobs/durations.ts';
import type { TerminalJob } from '../../core/jobs/record.ts';
import type { OwnerSettings } from '../../core/settings/owner-settings.ts';
import { deliveryIdTo, wantsEvent } from '../../core/settings/webhook-endpoint.ts';
import type { DeliverWebhookDeps } from './attempt.ts';

/**
 * Begins the deliveries of a job to the endpoints of its owner that want its event. The first delivery to its target does so
 * after its first attempt, and again before it is settled: if its function dies in between, reconcile resumes it.
 */
export async function beginEndpoints(
  { endpointDeliveries, deliveries, clock, newId, onSendFailed }: DeliverWebhookDeps,
  job: TerminalJob,
  { webhookEndpoints }: OwnerSettings,
): Promise<void> {
  if (job.pendingDelivery?.redelivery !== false) return;
  const { ownerId, jobId, state } = job;
  const begin = async ({ id: endpointId, url }: { id: string; url: string }) => {
    const deliveryId = deliveryIdTo(endpointId, newId());
    const pendingDelivery = { id: deliveryId, starts: 0, redelivery: true };
    const dueAt = addMs(clock.now(), durations.deliveryStartMs);
    const delivery = { state, webhookTarget: url, pendingDelivery, dueAt };
    const isNew = await endpointDeliveries.write({ ownerId, jobId, endpointId }, delivery, { absent: true });
    if (isNew) await deliveries.send({ ownerId, jobId, deliveryId }).catch(onSendFailed);
  };
  await Promise.all((webhookEndpoints?.list ?? []).filter((endpoint) => wantsEvent(endpoint, job)).map(begin));
}
