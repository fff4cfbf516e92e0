import type { JobChange } from '../../core/jobs/guard.ts';
import type { Clock, JobTable, WriteResult } from '../../core/jobs/ports.ts';
import type { JobIn, TerminalJob } from '../../core/jobs/record.ts';
import type { Termination } from '../../core/jobs/transitions.ts';
import type { SettingsTable } from '../../core/settings/owner-settings.ts';
import type { DeliveryStarter } from '../../core/webhooks/ports.ts';
import { retryUntil } from './retry-until.ts';
import { startDelivery } from './start-delivery.ts';
import { resolveWebhookTarget } from './webhook-target.ts';

export type TerminateJobDeps = {
  jobs: JobTable;
  settings: Pick<SettingsTable, 'get'>;
  deliveries: DeliveryStarter;
  clock: Clock;
  newId: () => string;
  /** Told of a delivery that could not be started; reconcile starts it. */
  onDeliveryStartFailed: (ref: { jobId: string }, cause: unknown) => void;
};

/**
 * The one way in which any function ends a job: fixes the webhook's target, makes the terminal write, and starts the
 * delivery. Only the write matters: a delivery that was not started is found by its `dueAt`. Where the table fails,
 * the write is repeated, the very same, while there is time before `until`.
 */
export async function terminateJob(
  ports: TerminateJobDeps,
  job: JobIn<'queued' | 'processing'>,
  transition: (ending: Termination) => JobChange<TerminalJob>,
  { until }: { until?: Date } = {},
): Promise<WriteResult & { job: TerminalJob }> {
  const target = await retryUntil(ports.clock, until, () => resolveWebhookTarget(ports, job));
  const change = transition({ now: ports.clock.now(), webhookTarget: target, deliveryId: ports.newId() });
  const result = await retryUntil(ports.clock, until, () => ports.jobs.write(change));
  if (result.written) await startDelivery(ports, change.job);
  return { ...result, job: change.job };
}
