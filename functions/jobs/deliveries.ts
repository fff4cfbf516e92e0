import type { RouteApp } from '../../adapters/runtime/http/route.ts';
import { logUnreadable } from '../../adapters/runtime/logger.ts';
import { limitExceeded, lowerLimit, type OwnerLimits } from '../../core/access/owner-limits.ts';
import { type CursorScope, readCursor, writeCursor } from '../../core/api/cursor.ts';
import {
  type listDeliveriesContract,
  maxRecoveredPerCall,
  type recoverDeliveriesContract,
  type redeliverJobContract,
  viewAttempt,
} from '../../core/api/deliveries.ts';
import { mapConcurrent, retryConflicts } from '../../core/async.ts';
import { AppError } from '../../core/errors.ts';
import { type ReserveIdDeps, replayed, reserveId } from '../../core/idempotency.ts';
import { redeliver } from '../../core/jobs/delivery-transitions.ts';
import type { Clock, FileLinks, JobListing, JobPage, JobTable } from '../../core/jobs/ports.ts';
import { isTerminal, type JobRecord, type TerminalJob } from '../../core/jobs/record.ts';
import { resultFiles, visibleJob } from '../../core/jobs/view.ts';
import { deliveryIdTo, type SettingsTable } from '../../core/settings/owner-settings.ts';
import { resolveWebhookTarget, type StartDeliveryDeps, startDelivery } from '../../core/termination/terminate-job.ts';
import {
  type DeliveryJournal,
  type EndpointDeliveries,
  jobsTo,
  withRecordedOutcome,
} from '../../core/webhooks/delivery.ts';
import { buildWebhookPayload } from '../../core/webhooks/payload.ts';

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

export type ListDeliveriesDeps = { jobs: JobTable; journal: DeliveryJournal; files: FileLinks; clock: Clock };

/** Lambda's response limit is 6 MB, and an attempt has up to 12 KiB. */
const maxListed = 200;

/** Lists the delivery attempts of a job's webhooks. Throws AppError NOT_FOUND. */
export function listDeliveries({
  jobs,
  journal,
  files,
  clock,
}: ListDeliveriesDeps): RouteApp<typeof listDeliveriesContract> {
  return async ({ params, principal }) => {
    const ref = { ownerId: principal.ownerId, jobId: params.id };
    const [job, attempts] = await Promise.all([jobs.get(ref), journal.listLatest(ref, maxListed)]);
    const visible = visibleJob(job);
    const delivered = isTerminal(visible) ? visible.deliveredAttempt : undefined;
    const deliveries = attempts.map((attempt) => viewAttempt(withRecordedOutcome(attempt, delivered)));
    const mayRead = principal.caller === 'session' || principal.key.scopes.includes('jobs:read');
    if (!mayRead || !isTerminal(visible)) return { status: 200, body: { deliveries } };
    const payload = buildWebhookPayload(visible, resultFiles(visible, files, clock.now()));
    return { status: 200, body: { deliveries, payload } };
  };
}

export type RecoverDeliveriesDeps = {
  jobs: JobTable;
  settings: SettingsTable;
  clock: Clock;
  newId: () => string;
  limits: Pick<OwnerLimits, 'maxRedeliveriesPerJob'>;
};

const jobsPerPage = 250;
/** Each page is one read. Some 20 reads of 1 MB take a few seconds, well below the function's timeout. */
const maxPagesPerCall = 20;
const maxConcurrentWrites = 25;

/**
 * Makes abandoned deliveries pending again by conditional writes. Reconcile starts them at its own rate. Leaves out jobs
 * that have reached the limit of redeliveries.
 */
export function recoverDeliveries(deps: RecoverDeliveriesDeps): RouteApp<typeof recoverDeliveriesContract> {
  return async ({ body: { since, until, cursor }, principal }) => {
    const { ownerId } = principal;
    const scope: CursorScope = { ownerId, list: 'abandoned-deliveries', filters: { since, until } };
    const { defaultWebhookUrl } = await deps.settings.get(ownerId);
    const rules = { defaultWebhookUrl, maxRedeliveries: lowerLimit(deps.limits, principal, 'maxRedeliveriesPerJob') };
    let recovered = 0;
    let attempted = 0;
    let afterJobId = cursor === undefined ? undefined : readCursor(scope, cursor);
    for (let pages = 0; pages < maxPagesPerCall && attempted < maxRecoveredPerCall; pages++) {
      const page = await deps.jobs.list(listingOf({ ownerId, since, until, afterJobId }));
      logUnreadable(page);
      const { chosen, lastJobId } = chooseAbandoned(page, rules, maxRecoveredPerCall - attempted);
      recovered += await recoverAll(deps, rules, chosen);
      attempted += chosen.length;
      afterJobId = lastJobId;
      if (lastJobId === undefined) break;
    }
    const nextCursor = afterJobId === undefined ? null : writeCursor(scope, afterJobId);
    return { status: 202, body: { recovered, nextCursor } };
  };
}

function listingOf({
  ownerId,
  since,
  until,
  afterJobId,
}: {
  ownerId: string;
  since: string;
  until: string;
  afterJobId: string | undefined;
}): JobListing {
  return {
    ownerId,
    limit: jobsPerPage,
    createdAfter: new Date(since),
    createdBefore: new Date(until),
    afterJobId,
    maxReads: 1,
  };
}

type Rules = { defaultWebhookUrl: string | null; maxRedeliveries: number };

type Chosen = { job: TerminalJob; webhookTarget: string };

/** The jobs of a page to recover, at most `maxJobs`, and the last job examined, after which the next call continues. */
function chooseAbandoned(
  { jobs, lastJobId }: JobPage,
  rules: Rules,
  maxJobs: number,
): { chosen: Chosen[]; lastJobId: string | undefined } {
  const abandoned = jobs.flatMap((job) => chooseIfAbandoned(job, rules) ?? []);
  const chosen = abandoned.slice(0, maxJobs);
  return { chosen, lastJobId: abandoned.length > maxJobs ? chosen.at(-1)?.job.jobId : lastJobId };
}

/** Undefined if the delivery of the job is not abandoned, or may not be made again. */
function chooseIfAbandoned(job: JobRecord, { defaultWebhookUrl, maxRedeliveries }: Rules): Chosen | undefined {
  if (!isTerminal(job) || job.deliveryOutcome !== 'abandoned' || job.pendingDelivery !== undefined) return;
  const webhookTarget = job.request.webhookUrl ?? defaultWebhookUrl;
  const isExhausted = (job.redeliveries ?? 0) >= maxRedeliveries;
  return webhookTarget === null || isExhausted ? undefined : { job, webhookTarget };
}

/** Counts the jobs that were written. */
async function recoverAll(
  { jobs, clock, newId }: RecoverDeliveriesDeps,
  rules: Rules,
  chosen: readonly Chosen[],
): Promise<number> {
  const recover = ({ job, webhookTarget }: Chosen) =>
    jobs.write(redeliver(job, { now: clock.now(), webhookTarget, deliveryId: newId() }));
  const results = await mapConcurrent(chosen, maxConcurrentWrites, async (listed) => {
    const result = await recover(listed);
    if (result.written) return true;
    // The list may be stale, and the next call continues after this job.
    const current = result.current && chooseIfAbandoned(result.current, rules);
    return current !== undefined && (await recover(current)).written;
  });
  return results.filter((written) => written).length;
}
