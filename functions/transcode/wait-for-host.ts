import { JobError } from '../../core/errors.ts';
import type { JobIn } from '../../core/jobs/record.ts';
import { mayWaitForHost, requeueForHost } from '../../core/jobs/transitions.ts';
import { retryUntil } from '../async/retry-until.ts';
import type { EncodeJobDeps } from '../worker/worker-deps.ts';

/** SQS delays no message for longer. Reconcile sends that of a job that waits longer. */
const maxDelaySeconds = 900;

/**
 * Requeues a job whose source is at a host that asked to come back later (`Retry-After`), so that no worker waits. Returns
 * undefined after any other error, and once the job has waited often enough: then it ends with that error.
 */
export async function waitForHost(
  { jobs, queue, clock, onUnexpected }: Pick<EncodeJobDeps, 'jobs' | 'queue' | 'clock' | 'onUnexpected'>,
  job: JobIn<'processing'>,
  error: unknown,
): Promise<'requeued' | 'lost' | undefined> {
  const retryAfterMs = error instanceof JobError ? error.retryAfterMs : undefined;
  if (retryAfterMs === undefined || !mayWaitForHost(job, retryAfterMs)) return undefined;
  const now = clock.now();
  const change = requeueForHost(job, { retryAfterMs, now });
  const { written } = await retryUntil(clock, new Date(job.dueAt), () => jobs.write(change));
  if (!written) return 'lost';
  // A whole second more: the message must not come before the time.
  const { notBefore = '' } = change.job;
  const delaySeconds = Math.ceil((Date.parse(notBefore) - now.getTime()) / 1_000) + 1;
  if (delaySeconds <= maxDelaySeconds)
    await queue.send(job, { delaySeconds }).catch((cause: unknown) => onUnexpected(job, cause));
  return 'requeued';
}
