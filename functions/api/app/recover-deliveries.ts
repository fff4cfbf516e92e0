import { type CursorScope, readCursor, writeCursor } from '../../../core/api/cursor.ts';
import { maxRecoveredPerCall, type recoverDeliveriesContract } from '../../../core/api/deliveries.ts';
import type { Clock, JobListing, JobPage, JobTable } from '../../../core/jobs/ports.ts';
import { isTerminal, type Job, type TerminalJob } from '../../../core/jobs/record.ts';
import { redeliver } from '../../../core/jobs/terminal-transitions.ts';
import type { SettingsTable } from '../../../core/settings/owner-settings.ts';
import type { RouteApp } from '../../runtime/http/route.ts';

export type RecoverDeliveriesDeps = {
  jobs: JobTable;
  settings: SettingsTable;
  clock: Clock;
  newId: () => string;
};

const jobsPerPage = 250;
/** Some 20 reads of 1 MB: a few seconds, well inside the function's time. */
const pagesPerCall = 20;
const writesAtOnce = 25;

/** Makes abandoned deliveries pending again, by conditional writes alone: reconcile starts them at its own rate. */
export function recoverDeliveries(ports: RecoverDeliveriesDeps): RouteApp<typeof recoverDeliveriesContract> {
  return async ({ body: { since, until, cursor }, principal: { ownerId } }) => {
    const scope: CursorScope = { ownerId, list: 'abandoned-deliveries', filters: { since, until } };
    const { defaultWebhookUrl } = await ports.settings.get(ownerId);
    let recovered = 0;
    let attempted = 0;
    let goesOnAfter = cursor === undefined ? undefined : readCursor(scope, cursor);
    for (let pages = 0; pages < pagesPerCall && attempted < maxRecoveredPerCall; pages++) {
      const page = await ports.jobs.list(listing({ ownerId, since, until, goesOnAfter }));
      const { chosen, lastJobId } = choose(page, {
        defaultWebhookUrl,
        most: maxRecoveredPerCall - attempted,
      });
      recovered += await recoverAll(ports, chosen);
      attempted += chosen.length;
      goesOnAfter = lastJobId;
      if (lastJobId === undefined) break;
    }
    const nextCursor = goesOnAfter === undefined ? null : writeCursor(scope, goesOnAfter);
    return { status: 202, body: { recovered, nextCursor } };
  };
}

function listing({
  ownerId,
  since,
  until,
  goesOnAfter,
}: {
  ownerId: string;
  since: string;
  until: string;
  goesOnAfter: string | undefined;
}): JobListing {
  return {
    ownerId,
    limit: jobsPerPage,
    createdAfter: new Date(since),
    createdBefore: new Date(until),
    afterJobId: goesOnAfter,
  };
}

type Chosen = { job: TerminalJob; webhookTarget: string };

/** The jobs of a page to recover, `most` of them; and where the list goes on after the last one looked at. */
function choose(
  { jobs, lastJobId }: JobPage,
  { defaultWebhookUrl, most }: { defaultWebhookUrl: string | null; most: number },
): { chosen: Chosen[]; lastJobId: string | undefined } {
  const abandoned = jobs.filter(isAbandoned).flatMap((job) => {
    const webhookTarget = job.request.webhookUrl ?? defaultWebhookUrl;
    return webhookTarget === null ? [] : [{ job, webhookTarget }];
  });
  const chosen = abandoned.slice(0, most);
  return { chosen, lastJobId: abandoned.length > most ? chosen.at(-1)?.job.jobId : lastJobId };
}

function isAbandoned(job: Job): job is TerminalJob {
  return isTerminal(job) && job.deliveryOutcome === 'abandoned' && job.pendingDelivery === undefined;
}

/** Writes a few at a time, and counts those that nobody else had changed meanwhile. */
async function recoverAll(ports: RecoverDeliveriesDeps, chosen: readonly Chosen[]): Promise<number> {
  let recovered = 0;
  for (let from = 0; from < chosen.length; from += writesAtOnce) {
    const writes = chosen.slice(from, from + writesAtOnce).map(({ job, webhookTarget }) => {
      const { clock, newId } = ports;
      return ports.jobs.write(redeliver(job, { now: clock.now(), webhookTarget, deliveryId: newId() }));
    });
    recovered += (await Promise.all(writes)).filter(({ written }) => written).length;
  }
  return recovered;
}
