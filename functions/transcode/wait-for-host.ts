import { JobError } from '@media-jobs/video/errors';
import type { JobIn } from '../../core/jobs/record.ts';
import { mayWaitForHost, requeueForHost } from '../../core/jobs/transitions.ts';
import { requeueJob } from './requeue-job.ts';

/**
 * Requeues a job whose source is at a host that asked to come back later (`Retry-After`), so that no worker waits. Returns
 * undefined after any other error, and once the job has waited often enough: then it ends with that error.
 */
export async function waitForHost(
  deps: Parameters<typeof requeueJob>[0],
  job: JobIn<'processing'>,
  error: unknown,
): Promise<'requeued' | 'lost' | undefined> {
  const retryAfterMs = error instanceof JobError ? error.retryAfterMs : undefined;
  if (retryAfterMs === undefined || !mayWaitForHost(job, retryAfterMs)) return undefined;
  const now = deps.clock.now();
  const change = requeueForHost(job, { retryAfterMs, now });
  const { notBefore = '' } = change.job;
  // A whole second more: the message must not come before the time.
  const delaySeconds = Math.ceil((Date.parse(notBefore) - now.getTime()) / 1_000) + 1;
  return requeueJob(deps, job, { change, delaySeconds });
}
