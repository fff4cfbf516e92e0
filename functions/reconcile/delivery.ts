import { resumeDelivery } from '../../core/jobs/after-the-end.ts';
import type { EndedJob } from '../../core/jobs/job.ts';
import type { JobTable } from '../../core/jobs/ports.ts';
import type { DeliveryJournal } from '../../core/webhooks/ports.ts';
import type { EndingPorts } from '../ending/end-job.ts';
import { startDelivery } from '../ending/start-delivery.ts';

export type DeliveryPorts = Pick<EndingPorts, 'deliveries' | 'clock' | 'onStartFailed'> & {
  jobs: JobTable;
  journal: Pick<DeliveryJournal, 'list'>;
};

/**
 * A delivery that should be over: its execution never began or died. It goes on after the last attempt that was
 * written down; deliver-webhook decides what an attempt without an outcome, or a fourth one, means.
 */
export async function resumePending(
  ports: DeliveryPorts,
  job: EndedJob,
  deliveryId: string,
): Promise<'delivery-resumed' | 'overtaken'> {
  const attempts = await ports.journal.list({ ...job, deliveryId });
  const change = resumeDelivery(job, ports.clock.now());
  const { written } = await ports.jobs.write(change);
  if (!written) return 'overtaken';
  await startDelivery(ports, change.job, (attempts.at(-1)?.attempt ?? 0) + 1);
  return 'delivery-resumed';
}
