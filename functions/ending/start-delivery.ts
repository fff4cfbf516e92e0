import type { EndedJob } from '../../core/jobs/job.ts';
import { executionName } from '../../core/webhooks/names.ts';
import type { EndingPorts } from './end-job.ts';

/**
 * Starts the state machine for a job's pending delivery under the number of starts that the record counts. A failure
 * is only noted: `dueAt` brings reconcile to it.
 */
export async function startDelivery(
  { deliveries, clock, onStartFailed }: Pick<EndingPorts, 'deliveries' | 'clock' | 'onStartFailed'>,
  job: EndedJob,
  attempt = 1,
): Promise<void> {
  const { ownerId, jobId, pendingDelivery } = job;
  if (pendingDelivery === undefined) return;
  const { id: deliveryId, starts } = pendingDelivery;
  try {
    await deliveries.start({
      name: executionName(deliveryId, starts),
      input: { ownerId, jobId, deliveryId, attempt, notBefore: clock.now().getTime() },
    });
  } catch (cause) {
    onStartFailed({ jobId }, cause);
  }
}
