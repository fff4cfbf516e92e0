import { readCursor, writeCursor } from '../../../core/api/cursor.ts';
import type { listJobsContract } from '../../../core/api/jobs.ts';
import type { JobTable } from '../../../core/jobs/ports.ts';
import { resultFiles, viewJob } from '../../../core/jobs/view.ts';
import type { RouteApp } from '../../runtime/http/route.ts';
import type { GetJobPorts } from './get-job.ts';

export type ListJobsPorts = Omit<GetJobPorts, 'jobs'> & { jobs: Pick<JobTable, 'list'> };

export function listJobs({ jobs, files, clock }: ListJobsPorts): RouteApp<typeof listJobsContract> {
  return async ({ query, principal: { ownerId } }) => {
    const { limit, state, cursor, createdAfter, createdBefore } = query;
    const page = await jobs.list({
      ownerId,
      limit,
      state,
      afterJobId: cursor === undefined ? undefined : readCursor(cursor),
      createdAfter: toDate(createdAfter),
      createdBefore: toDate(createdBefore),
    });
    const now = clock.now();
    const views = await Promise.all(
      page.jobs.map(async (job) => viewJob(job, await resultFiles(job, files.signDownload, now))),
    );
    const nextCursor = page.lastJobId === undefined ? null : writeCursor(page.lastJobId);
    return { status: 200, body: { jobs: views, nextCursor } };
  };
}

function toDate(text: string | undefined): Date | undefined {
  return text === undefined ? undefined : new Date(text);
}
