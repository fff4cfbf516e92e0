import type { RouteApp } from '../../adapters/runtime/http/route.ts';
import { limitExceeded, lowerLimit, type OwnerLimits } from '../../core/access/owner-limits.ts';
import type { redeliverJobContract } from '../../core/api/deliveries.ts';
import { retryConflicts } from '../../core/async.ts';
import { AppError } from '../../core/errors.ts';
import { type ReserveIdDeps, replayed, reserveId } from '../../core/idempotency.ts';
import { redeliver } from '../../core/jobs/delivery-transitions.ts';
import { isTerminal, type JobRecord, type TerminalJob } from '../../core/jobs/record.ts';
import { visibleJob } from '../../core/jobs/view.ts';
import { deliveryIdTo } from '../../core/settings/owner-settings.ts';
import { resolveWebhookTarget, type StartDeliveryDeps, startDelivery } from '../../core/termination/terminate-job.ts';
import { type EndpointDeliveries, jobsTo } from '../../core/webhooks/delivery.ts';

export type RedeliverJobDeps = StartDeliveryDeps &
  ReserveIdDeps & { endpointDeliveries: EndpointDeliveries; limits: Pick<OwnerLimits, 'maxRedeliveriesPerJob'> };

/** Delivers the terminal event again. The record is written first: reconcile starts a delivery that could not be started. */
export function redeliverJob(ports: RedeliverJobDeps): RouteApp<typeof redeliverJobContract> {
  return async ({ params, query: { endpointId }, headers, principal }) => {
    const { ownerId } = principal;
    const deps = endpointId === undefined ? ports : { ...ports, jobs: jobsTo(endpointId, ports) };
    let stored = await deps.jobs.get({ ownerId, jobId: params.id });
    const idempotencyKey = headers['idempotency-key'];
    const keyed = { ownerId, idempotencyKey, request: { redeliver: params.id, ...(endpointId && { endpointId }) } };
    const reserved = await reserveId(deps, keyed, async ({ isReplay }) => {
      if (!isReplay) endedJob(stored);
    });
    const { reservation } = reserved;
    const accepted = (deliveryId: string) => ({ status: 202, ...replayed(reserved), body: { deliveryId } }) as const;
    if (reservation?.result !== undefined) return accepted(reservation.result);
    const deliveryId = await retryConflicts(async () => {
      const job = endedJob(stored);
      const pending = job.pendingDelivery;
      // A pending delivery without a target sends nothing: replace it.
      if (pending !== undefined && job.webhookTarget !== null) return pending.id;
      assertMayRedeliver(job, lowerLimit(deps.limits, principal, 'maxRedeliveriesPerJob'));
      const deliveryId = endpointId === undefined ? reserved.id : deliveryIdTo(endpointId, reserved.id);
      const change = await buildRedelivery(deps, job, deliveryId);
      const result = await deps.jobs.write(change);
      if (result.written) {
        await startDelivery(deps, change.job);
        return deliveryId;
      }
      stored = result.current;
      return false;
    });
    if (reservation !== undefined) await deps.reservations.complete(reservation, deliveryId);
    return accepted(deliveryId);
  };
}

function assertMayRedeliver({ redeliveries = 0 }: TerminalJob, value: number): void {
  if (redeliveries < value) return;
  throw limitExceeded(
    { limit: 'maxRedeliveriesPerJob', value, use: redeliveries },
    `The webhook of this job was redelivered ${redeliveries} times; the limit is ${value}. Read the job instead.`,
  );
}

async function buildRedelivery(deps: StartDeliveryDeps, job: TerminalJob, deliveryId: string) {
  const target = await resolveWebhookTarget(deps, job);
  if (target === null) {
    throw new AppError(
      'WEBHOOK_NOT_CONFIGURED',
      'The job has no webhookUrl and there is no default webhook URL: set one, then try again.',
    );
  }
  return redeliver(job, { now: deps.clock.now(), webhookTarget: target, deliveryId });
}

function endedJob(record: JobRecord | undefined): TerminalJob {
  const job = visibleJob(record);
  if (isTerminal(job)) return job;
  throw new AppError('JOB_NOT_TERMINAL', `The job is ${job.state}: its webhook is sent when it ends.`);
}
