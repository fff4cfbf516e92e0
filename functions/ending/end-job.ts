import type { JobChange } from '../../core/jobs/guard.ts';
import type { EndedJob, JobIn } from '../../core/jobs/job.ts';
import type { Clock, JobTable, WriteResult } from '../../core/jobs/ports.ts';
import type { Ending } from '../../core/jobs/transitions.ts';
import type { SettingsTable } from '../../core/settings/owner-settings.ts';
import type { DeliveryStarter } from '../../core/webhooks/ports.ts';
import { insist } from './insist.ts';
import { startDelivery } from './start-delivery.ts';
import { webhookTarget } from './webhook-target.ts';

export type EndingPorts = {
  jobs: JobTable;
  settings: Pick<SettingsTable, 'get'>;
  deliveries: DeliveryStarter;
  clock: Clock;
  newId: () => string;
  /** Told of a delivery that could not be started; reconcile starts it. */
  onStartFailed: (ref: { jobId: string }, cause: unknown) => void;
};

/**
 * The one way in which any function ends a job: fixes the webhook's target, makes the terminal write, and starts the
 * delivery. Only the write matters: a delivery that was not started is found by its `dueAt`. Where the table fails,
 * the write is repeated, the very same, while there is time before `until`.
 */
export async function endJob(
  ports: EndingPorts,
  job: JobIn<'queued' | 'processing'>,
  transition: (ending: Ending) => JobChange<EndedJob>,
  { until }: { until?: Date } = {},
): Promise<WriteResult & { job: EndedJob }> {
  const target = await insist(ports.clock, until, () => webhookTarget(ports, job));
  const change = transition({ now: ports.clock.now(), webhookTarget: target, deliveryId: ports.newId() });
  const result = await insist(ports.clock, until, () => ports.jobs.write(change));
  if (result.written) await startDelivery(ports, change.job);
  return { ...result, job: change.job };
}
