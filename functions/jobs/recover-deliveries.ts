import type { RouteApp } from '../../adapters/runtime/http/route.ts';
import { logUnreadable } from '../../adapters/runtime/logger.ts';
import { lowerLimit, type OwnerLimits } from '../../core/access/owner-limits.ts';
import { type CursorScope, readCursor, writeCursor } from '../../core/api/cursor.ts';
import { maxRecoveredPerCall, type recoverDeliveriesContract } from '../../core/api/deliveries.ts';
import { mapConcurrent } from '../../core/async.ts';
import { redeliver } from '../../core/jobs/delivery-transitions.ts';
import type { Clock, JobListing, JobPage, JobTable } from '../../core/jobs/ports.ts';
import { isTerminal, type JobRecord, type TerminalJob } from '../../core/jobs/record.ts';
import type { SettingsTable } from '../../core/settings/owner-settings.ts';

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
    const rules = {
      defaultWebhookUrl,
      maxRedeliveries: lowerLimit(deps.limits, principal, 'maxRedeliveriesPerJob'),
    };
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
