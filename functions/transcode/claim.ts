import type { Clock, JobRef, JobTable } from '../../core/jobs/ports.ts';
import type { JobIn } from '../../core/jobs/record.ts';
import { claim } from '../../core/jobs/transitions.ts';

/**
 * Takes a job for this worker. Undefined where there is nothing to take: only a queued job can be claimed, and a
 * message about any other is a repeat.
 */
export async function claimJob(
  { jobs, clock, newId }: { jobs: JobTable; clock: Clock; newId: () => string },
  ref: JobRef,
): Promise<JobIn<'processing'> | undefined> {
  let found = await jobs.get(ref);
  while (found?.state === 'queued') {
    const change = claim(found, newId(), clock.now());
    const result = await jobs.write(change);
    if (result.written) return change.job;
    found = result.current;
  }
  return undefined;
}
