import { dueIn, durations } from './durations.ts';
import { type JobChange, leaseGuard, progressGuard } from './guard.ts';
import type { JobIn } from './record.ts';

/**
 * Records the publication that becomes visible at the job's storage provider. No attempt can start another one, and the
 * job can no longer be cancelled. If the function dies, the next attempt completes the publication: it records the same one
 * again, for a lease of full length.
 */
export function startPublishing(
  job: JobIn<'processing'>,
  publishing: string,
  now: Date,
): JobChange<JobIn<'processing'> & { publishing: string }> {
  return {
    guard: { ...leaseGuard(job), ...progressGuard(job) },
    job: {
      ...job,
      publishing,
      stage: 'uploading',
      updatedAt: now.toISOString(),
      ...dueIn(now, durations.leaseMs),
    },
  };
}

/** Renews the lease of a job while its files become visible. */
export function renewPublishing(job: JobIn<'processing'>, now: Date): JobChange<JobIn<'processing'>> {
  return {
    guard: { ...leaseGuard(job), ...progressGuard(job) },
    job: { ...job, updatedAt: now.toISOString(), ...dueIn(now, durations.leaseMs) },
  };
}
