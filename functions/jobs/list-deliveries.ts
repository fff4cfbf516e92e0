import type { RouteApp } from '../../adapters/runtime/http/route.ts';
import { type listDeliveriesContract, viewAttempt } from '../../core/api/deliveries.ts';
import type { Clock, FileLinks, JobTable } from '../../core/jobs/ports.ts';
import { isTerminal } from '../../core/jobs/record.ts';
import { resultFiles, visibleJob } from '../../core/jobs/view.ts';
import { type DeliveryJournal, withRecordedOutcome } from '../../core/webhooks/attempt.ts';
import { buildWebhookPayload } from '../../core/webhooks/payload.ts';

export type ListDeliveriesDeps = {
  jobs: JobTable;
  journal: DeliveryJournal;
  files: FileLinks;
  clock: Clock;
};

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
