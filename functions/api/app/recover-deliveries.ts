import { lowerLimit, type OwnerLimits } from '../../../core/access/owner-limits.ts';
import { type CursorScope, readCursor, writeCursor } from '../../../core/api/cursor.ts';
import { maxRecoveredPerCall, type recoverDeliveriesContract } from '../../../core/api/deliveries.ts';
import { redeliver } from '../../../core/jobs/delivery-transitions.ts';
import type { Clock, JobListing, JobPage, JobTable } from '../../../core/jobs/ports.ts';
import { isTerminal, type Job, type TerminalJob } from '../../../core/jobs/record.ts';
import type { SettingsTable } from '../../../core/settings/owner-settings.ts';
import { mapConcurrent } from '../../async/map-concurrent.ts';
import type { RouteApp } from '../../runtime/http/route.ts';

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
    let recovered = 0;
    let attempted = 0;
    let afterJobId = cursor === undefined ? undefined : readCursor(scope, cursor);
    for (let pages = 0; pages < maxPagesPerCall && attempted < maxRecoveredPerCall; pages++) {
      const page = await deps.jobs.list(listingOf({ ownerId, since, until, afterJobId }));
      const { chosen, lastJobId } = chooseAbandoned(page, {
        defaultWebhookUrl,
        maxRedeliveries: lowerLimit(deps.limits, principal, 'maxRedeliveriesPerJob'),
        maxJobs: maxRecoveredPerCall - attempted,
      });
      recovered += await recoverAll(deps, chosen);
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

type Chosen = { job: TerminalJob; webhookTarget: string };

/** The jobs of a page to recover, at most `maxJobs`, and the last job examined, after which the next call continues. */
function chooseAbandoned(
  { jobs, lastJobId }: JobPage,
  {
    defaultWebhookUrl,
    maxRedeliveries,
    maxJobs,
  }: { defaultWebhookUrl: string | null; maxRedeliveries: number; maxJobs: number },
): { chosen: Chosen[]; lastJobId: string | undefined } {
  const abandoned = jobs.filter(isAbandoned).flatMap((job) => {
    const webhookTarget = job.request.webhookUrl ?? defaultWebhookUrl;
    const isExhausted = (job.redeliveries ?? 0) >= maxRedeliveries;
    return webhookTarget === null || isExhausted ? [] : [{ job, webhookTarget }];
  });
  const chosen = abandoned.slice(0, maxJobs);
  return { chosen, lastJobId: abandoned.length > maxJobs ? chosen.at(-1)?.job.jobId : lastJobId };
}

function isAbandoned(job: Job): job is TerminalJob {
  return isTerminal(job) && job.deliveryOutcome === 'abandoned' && job.pendingDelivery === undefined;
}

/** Counts the jobs that were written: those that have not changed since they were read. */
async function recoverAll(
  { jobs, clock, newId }: RecoverDeliveriesDeps,
  chosen: readonly Chosen[],
): Promise<number> {
  const results = await mapConcurrent(chosen, maxConcurrentWrites, ({ job, webhookTarget }) =>
    jobs.write(redeliver(job, { now: clock.now(), webhookTarget, deliveryId: newId() })),
  );
  return results.filter(({ written }) => written).length;
}
