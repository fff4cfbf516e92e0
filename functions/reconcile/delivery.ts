import type { JobTable } from '../../core/jobs/ports.ts';
import type { TerminalJob } from '../../core/jobs/record.ts';
import { resumeDelivery } from '../../core/jobs/terminal-transitions.ts';
import type { DeliveryJournal } from '../../core/webhooks/ports.ts';
import { startDelivery, type TerminateJobDeps } from '../terminate-job/terminate-job.ts';

export type ResumeDeliveryDeps = Pick<TerminateJobDeps, 'deliveries' | 'clock' | 'onDeliveryStartFailed'> & {
  jobs: JobTable;
  journal: Pick<DeliveryJournal, 'list'>;
};

/**
 * A delivery that should be over: its execution never began or died. It goes on after the last attempt that was
 * written down; deliver-webhook decides what an attempt without an outcome, or a fourth one, means.
 */
export async function resumePendingDelivery(
  ports: ResumeDeliveryDeps,
  job: TerminalJob,
  deliveryId: string,
): Promise<'delivery-resumed' | 'superseded'> {
  const attempts = await ports.journal.list({ ...job, deliveryId });
  const change = resumeDelivery(job, ports.clock.now());
  const { written } = await ports.jobs.write(change);
  if (!written) return 'superseded';
  await startDelivery(ports, change.job, (attempts.at(-1)?.attempt ?? 0) + 1);
  return 'delivery-resumed';
}
