import { jobEtag, matchesEtag } from '../../../core/api/job-etag.ts';
import type { getJobContract } from '../../../core/api/jobs.ts';
import type { Clock, FileLinks, JobTable } from '../../../core/jobs/ports.ts';
import { resultFiles, viewJob } from '../../../core/jobs/view.ts';
import type { RouteApp } from '../../runtime/http/route.ts';
import { findJob } from './find-job.ts';

export type GetJobDeps = {
  jobs: JobTable;
  files: FileLinks;
  clock: Clock;
  /** How long a signed URL lives. */
  signedUrlSeconds: number;
};

/** A job with signed URLs made now, or 304 where its tag is the one that the caller knows. AppError NOT_FOUND. */
export function getJob(ports: GetJobDeps): RouteApp<typeof getJobContract> {
  const { jobs, files, clock, signedUrlSeconds } = ports;
  return async ({ params, headers: { 'if-none-match': known }, principal: { ownerId } }) => {
    const job = await findJob(jobs, { ownerId, jobId: params.id });
    const now = clock.now();
    const etag = jobEtag(job, { now, signedUrlSeconds });
    // A client may keep the answer, but has to ask whether it still holds.
    const fresh = { etag, 'cache-control': 'private, no-cache' };
    if (known !== undefined && matchesEtag(known, etag)) return { status: 304, headers: fresh };
    const body = viewJob(job, await resultFiles(job, files, now));
    return { status: 200, headers: fresh, body };
  };
}
