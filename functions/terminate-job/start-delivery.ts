import type { TerminalJob } from '../../core/jobs/record.ts';
import { deliveryExecutionName } from '../../core/webhooks/delivery.ts';
import type { TerminateJobDeps } from './terminate-job.ts';

/**
 * Starts the state machine for a job's pending delivery under the number of starts that the record counts. A failure
 * is only noted: `dueAt` brings reconcile to it.
 */
export async function startDelivery(
  {
    deliveries,
    clock,
    onDeliveryStartFailed,
  }: Pick<TerminateJobDeps, 'deliveries' | 'clock' | 'onDeliveryStartFailed'>,
  job: TerminalJob,
  attempt = 1,
): Promise<void> {
  const { ownerId, jobId, pendingDelivery } = job;
  if (pendingDelivery === undefined) return;
  const { id: deliveryId, starts } = pendingDelivery;
  try {
    await deliveries.start({
      name: deliveryExecutionName(deliveryId, starts),
      input: { ownerId, jobId, deliveryId, attempt, notBefore: clock.now().getTime() },
    });
  } catch (cause) {
    onDeliveryStartFailed({ jobId }, cause);
  }
}
