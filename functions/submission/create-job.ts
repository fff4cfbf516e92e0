import type { RouteApp } from '../../adapters/runtime/http/route.ts';
import type { createJobContract } from '../../core/api/create-job.ts';
import { viewJob } from '../../core/jobs/view.ts';
import { type AcceptJobDeps, acceptJob } from '../../core/submission/accept-job.ts';

/** Accepts the job of a request. */
export function createJob(deps: AcceptJobDeps): RouteApp<typeof createJobContract> {
  return async ({ body: job, rawBody: keyedBody, headers, principal }) => {
    const accepted = { principal, idempotencyKey: headers['idempotency-key'], keyedBody, job };
    const { job: created, response } = await acceptJob(deps, accepted);
    return { ...response, body: viewJob(created, {}) };
  };
}
