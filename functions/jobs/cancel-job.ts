import type { RouteApp } from '../../adapters/runtime/http/route.ts';
import type { cancelJobContract } from '../../core/api/job-actions.ts';
import { findJob, viewChangedJob } from '../../core/jobs/view.ts';
import { type CancelJobDeps, cancelUnfinished } from '../../core/termination/cancel-job.ts';

/** Cancels an unfinished job; fails after a terminal transition. */
export function cancelJob(deps: CancelJobDeps): RouteApp<typeof cancelJobContract> {
  return async ({ params, principal }) => {
    const job = await findJob(deps.jobs, { ownerId: principal.ownerId, jobId: params.id });
    return { status: 200, body: viewChangedJob(await cancelUnfinished(deps, job), principal) };
  };
}
