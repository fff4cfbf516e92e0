import type { RouteApp } from '../../adapters/runtime/http/route.ts';
import type { getJobLogContract } from '../../core/api/job-actions.ts';
import type { JobLogs } from '../../core/jobs/attempt-log.ts';
import type { JobTable } from '../../core/jobs/ports.ts';
import { findJob } from '../../core/jobs/view.ts';

export type GetJobLogDeps = { jobs: JobTable; logs: JobLogs };

export function getJobLog({ jobs, logs }: GetJobLogDeps): RouteApp<typeof getJobLogContract> {
  return async ({ params, principal: { ownerId } }) => {
    const job = await findJob(jobs, { ownerId, jobId: params.id });
    return { status: 200, body: { attempts: await logs.list(job) } };
  };
}
