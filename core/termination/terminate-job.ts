import { retryUntil } from '../async/retry-until.ts';
import type { JobChange } from '../jobs/guard.ts';
import type { Clock, JobRef, JobTable, WriteResult } from '../jobs/ports.ts';
import type { Job, JobIn, JobRecord, TerminalJob } from '../jobs/record.ts';
import type { Termination } from '../jobs/termination.ts';
import { costOfEndedJob } from '../pricing/cost-of-ended-job.ts';
import type { PricedStage } from '../pricing/priced-stage.ts';
import type { SettingsTable } from '../settings/owner-settings.ts';
import type { DeliveryQueue } from '../webhooks/attempt.ts';

export type StartDeliveryDeps = {
  jobs: JobTable;
  settings: { get: SettingsTable['get'] };
  deliveries: DeliveryQueue;
  clock: Clock;
  newId: () => string;
  /** Receives the error of a delivery that was not started; reconcile starts it. */
  onDeliveryStartFailed: (ref: JobRef, cause: unknown) => void;
};

/** `money.stage` is what the cost of a job depends on. */
export type TerminateJobDeps = StartDeliveryDeps & { money: { stage: PricedStage } };

/**
 * Ends a job: resolves the webhook's target, makes the terminal write with the job's cost, and starts the delivery.
 * Every function ends jobs this way. If the table fails, the same write is retried while there is time before `until`.
 * A delivery that was not started is not an error: reconcile finds it by its `dueAt`.
 */
export async function terminateJob(
  deps: TerminateJobDeps,
  job: JobIn<'queued' | 'processing'>,
  transition: (termination: Termination) => JobChange<TerminalJob>,
  { until }: { until?: Date } = {},
): Promise<WriteResult & { job: TerminalJob }> {
  const { clock, jobs, newId } = deps;
  const webhookTarget = await retryUntil(clock, until, () => resolveWebhookTarget(deps, job));
  const { job: ended, guard } = transition({ now: clock.now(), webhookTarget, deliveryId: newId() });
  const change = { guard, job: { ...ended, cost: costOfEndedJob(ended, deps.money.stage) } };
  const result = await retryUntil(clock, until, () => jobs.write(change));
  if (result.written) await startDelivery(deps, change.job);
  return { ...result, job: change.job };
}

/** The URL that receives a job's webhook: its own `webhookUrl`, otherwise the owner's default, otherwise none. */
export async function resolveWebhookTarget(
  { settings }: Pick<StartDeliveryDeps, 'settings'>,
  { ownerId, request }: Job,
): Promise<string | null> {
  return request.webhookUrl ?? (await settings.get(ownerId)).defaultWebhookUrl;
}

/**
 * Sends a job's pending delivery to deliver-webhook, which makes the first attempt. A failure is reported, not thrown:
 * reconcile sends it again at `dueAt`.
 */
export async function startDelivery(
  { deliveries, onDeliveryStartFailed }: Pick<StartDeliveryDeps, 'deliveries' | 'onDeliveryStartFailed'>,
  { ownerId, jobId, pendingDelivery }: TerminalJob,
): Promise<void> {
  if (pendingDelivery === undefined) return;
  try {
    await deliveries.send({ ownerId, jobId, deliveryId: pendingDelivery.id });
  } catch (cause) {
    onDeliveryStartFailed({ ownerId, jobId }, cause);
  }
}

/**
 * Whether this attempt has completed the job although its terminal write was rejected: the response to the first try was
 * lost, and the delivery has changed the record since. The attempt's files are then the job's result.
 */
export function wasCompletedByAttempt({ attempt }: JobIn<'processing'>, current: JobRecord | undefined): boolean {
  return current?.state === 'completed' && current.attempt === attempt;
}
