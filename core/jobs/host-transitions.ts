import { addMs, dueIn, durations, maxHostWaits } from './durations.ts';
import type { JobChange } from './guard.ts';
import type { JobIn } from './record.ts';
import { requeue } from './transitions.ts';

/** Whether a job may wait for the host of a source for this time: at most an hour, five times. */
export function mayWaitForHost({ hostWaits = 0 }: JobIn<'processing'>, retryAfterMs: number): boolean {
  return hostWaits < maxHostWaits && retryAfterMs <= durations.maxHostWaitMs;
}

/**
 * Requeues a job until the host of a source accepts requests again (`Retry-After`), and for longer each time. The caller
 * sends the delayed message after this is written.
 */
export function requeueForHost(
  job: JobIn<'processing'>,
  { retryAfterMs, now }: { retryAfterMs: number; now: Date },
): JobChange<JobIn<'queued'>> {
  const { hostWaits = 0 } = job;
  const waitMs = Math.max(retryAfterMs, durations.minHostWaitMs * 2 ** hostWaits);
  const { job: requeued } = requeue(job, now);
  return {
    guard: { leaseId: job.leaseId },
    job: {
      ...requeued,
      hostWaits: hostWaits + 1,
      notBefore: addMs(now, waitMs),
      ...dueIn(now, waitMs + durations.resendAfterMs),
    },
  };
}

/** Whether a queued job waits for the host of a source. Its message is sent, or sent again, once the time is over. */
export function waitsForHost({ notBefore = '' }: JobIn<'queued'>, now: Date): boolean {
  return now.toISOString() < notBefore;
}
