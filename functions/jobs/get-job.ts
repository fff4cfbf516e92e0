import { createHash } from 'node:crypto';
import type { RouteApp } from '../../adapters/runtime/http/route.ts';
import { logger } from '../../adapters/runtime/logger.ts';
import type { getJobLogContract } from '../../core/api/job-actions.ts';
import type { getJobContract } from '../../core/api/jobs.ts';
import type { JobLogs } from '../../core/jobs/attempt-log.ts';
import { inputLink } from '../../core/jobs/kept-input.ts';
import { type LocateJobDeps, locateJob, type QueuePosition } from '../../core/jobs/locate-job.ts';
import type { FileLinks, JobTable } from '../../core/jobs/ports.ts';
import type { Job, JobIn } from '../../core/jobs/record.ts';
import { availableFiles } from '../../core/jobs/retention.ts';
import { findJob, resultFiles, viewJob, visibleJob } from '../../core/jobs/view.ts';

export type GetJobDeps = LocateJobDeps & { jobs: JobTable; files: FileLinks };

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

export function getJobLog({ jobs, logs }: { jobs: JobTable; logs: JobLogs }): RouteApp<typeof getJobLogContract> {
  return async ({ params, principal: { ownerId } }) => {
    const job = await findJob(jobs, { ownerId, jobId: params.id });
    return { status: 200, body: { attempts: await logs.list(job) } };
  };
}

/**
 * The ETag of a job. It changes with the job's view, with the end of each file and with each half lifetime of its signed URLs, so the URLs of a
 * cached response stay valid for at least half of their lifetime. Weak, because responses with one ETag differ in
 * their signatures (RFC 9110 section 8.8.1).
 */
export function jobEtag(
  job: Job,
  {
    now,
    signedUrlSeconds,
    queuePosition,
    hasInput = false,
  }: { now: Date; signedUrlSeconds: number; queuePosition?: QueuePosition | undefined; hasInput?: boolean },
): string {
  const files = availableFiles(job, now).length;
  const halfLifetime = files === 0 && !hasInput ? undefined : Math.floor(now.getTime() / (signedUrlSeconds * 500));
  const hashed = JSON.stringify([viewJob(job, {}), files, halfLifetime, queuePosition, ...(hasInput ? ['input'] : [])]);
  return `W/"${createHash('sha256').update(hashed).digest('base64url').slice(0, 27)}"`;
}

/** Whether an `If-None-Match` header matches the ETag, by weak comparison (RFC 9110 section 13.1.2). */
export function matchesEtag(ifNoneMatch: string, tag: string): boolean {
  const opaque = (text: string) => text.trim().replace(/^W\//, '');
  return ifNoneMatch.trim() === '*' || ifNoneMatch.split(',').some((listed) => opaque(listed) === opaque(tag));
}
