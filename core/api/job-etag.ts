import { createHash } from 'node:crypto';
import type { QueuePosition } from '../jobs/locate-job.ts';
import type { Job } from '../jobs/record.ts';
import { availableFiles } from '../jobs/retention.ts';
import { viewJob } from '../jobs/view.ts';

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
