import type { listDeliveriesContract } from '../../../core/api/deliveries.ts';
import { viewAttempt } from '../../../core/api/deliveries.ts';
import type { JobTable } from '../../../core/jobs/ports.ts';
import type { DeliveryJournal } from '../../../core/webhooks/ports.ts';
import type { RouteApp } from '../../runtime/http/route.ts';
import { visibleJob } from './find-job.ts';

export type ListDeliveriesDeps = {
  jobs: JobTable;
  journal: DeliveryJournal;
};

/** Lambda answers with 6 MB at most, and an attempt may take 12 KiB of them. */
const mostShown = 200;

/** Every attempt to deliver the webhook of a job. AppError NOT_FOUND where the owner has no such job. */
export function listDeliveries({
  jobs,
  journal,
}: ListDeliveriesDeps): RouteApp<typeof listDeliveriesContract> {
  return async ({ params, principal: { ownerId } }) => {
    const ref = { ownerId, jobId: params.id };
    const [job, attempts] = await Promise.all([jobs.get(ref), journal.list(ref)]);
    visibleJob(job);
    return { status: 200, body: { deliveries: attempts.slice(-mostShown).map(viewAttempt) } };
  };
}
