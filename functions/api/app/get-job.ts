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
  /** Lifetime of a signed URL. */
  signedUrlSeconds: number;
};

/** Reads a job with new signed URLs. Answers 304 if `If-None-Match` has its current ETag. */
export function getJob(deps: GetJobDeps): RouteApp<typeof getJobContract> {
  const { jobs, files, clock, signedUrlSeconds } = deps;
  return async ({ params, headers: { 'if-none-match': known }, principal: { ownerId } }) => {
    const job = await findJob(jobs, { ownerId, jobId: params.id });
    const now = clock.now();
    const etag = jobEtag(job, { now, signedUrlSeconds });
    // `no-cache`: a client may store the response and must revalidate it.
    const cacheHeaders = { etag, 'cache-control': 'private, no-cache' };
    if (known !== undefined && matchesEtag(known, etag)) return { status: 304, headers: cacheHeaders };
    const body = viewJob(job, await resultFiles(job, files, now));
    return { status: 200, headers: cacheHeaders, body };
  };
}
