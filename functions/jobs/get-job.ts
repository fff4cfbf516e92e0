import type { RouteApp } from '../../adapters/runtime/http/route.ts';
import { logger } from '../../adapters/runtime/logger.ts';
import { jobEtag, matchesEtag } from '../../core/api/job-etag.ts';
import type { getJobContract } from '../../core/api/jobs.ts';
import { inputLink } from '../../core/jobs/kept-input.ts';
import { type LocateJobDeps, locateJob, type QueuePosition } from '../../core/jobs/locate-job.ts';
import type { FileLinks, JobTable } from '../../core/jobs/ports.ts';
import type { JobIn } from '../../core/jobs/record.ts';
import { resultFiles, viewJob, visibleJob } from '../../core/jobs/view.ts';

export type GetJobDeps = LocateJobDeps & {
  jobs: JobTable;
  files: FileLinks;
};

/**
 * Reads a job with new signed URLs, and a queued one with its position in the queue. Answers 304 if `If-None-Match` has
 * its current ETag.
 */
export function getJob(deps: GetJobDeps): RouteApp<typeof getJobContract> {
  const { jobs, files, clock } = deps;
  const signedUrlSeconds = Math.min(files.fileUrlSeconds, files.setUrlSeconds);
  return async ({ params, query: { expand }, headers: { 'if-none-match': known }, principal: { ownerId } }) => {
    const job = visibleJob(await jobs.get({ ownerId, jobId: params.id }, { mayBeStale: true }));
    const now = clock.now();
    const queuePosition = job.state === 'queued' ? await positionOf(deps, job) : undefined;
    const input = expand === 'input' ? inputLink(job, files, now) : undefined;
    const etag = jobEtag(job, { now, signedUrlSeconds, queuePosition, hasInput: input !== undefined });
    // `no-cache`: a client may store the response and must revalidate it.
    const cacheHeaders = { etag, 'cache-control': 'private, no-cache' };
    if (known !== undefined && matchesEtag(known, etag)) return { status: 304, headers: cacheHeaders };
    const body = { ...viewJob(job, resultFiles(job, files, now)), ...queuePosition, input };
    return { status: 200, headers: cacheHeaders, body };
  };
}

/** The position comes from the records of other jobs: one that cannot be read does not fail the request. */
async function positionOf(deps: LocateJobDeps, job: JobIn<'queued'>): Promise<QueuePosition | undefined> {
  try {
    return await locateJob(deps, job);
  } catch (error) {
    logger.warn('The position of a queued job could not be determined', { error });
    return undefined;
  }
}
