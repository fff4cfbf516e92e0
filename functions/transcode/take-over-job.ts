import { takeOverJob as takeOver } from '../../core/jobs/delegation-transitions.ts';
import type { DelegatedJobInput } from '../../core/jobs/ports.ts';
import { holdsLease, type JobIn } from '../../core/jobs/record.ts';
import { retryConflicts } from '../../core/jobs/retry-conflicts.ts';
import type { TaskPorts } from '../../core/worker/ports.ts';

/** Takes a delegated job over under a lease of this worker; undefined if it has ended, or if another one was first. */
export async function takeOverJob(
  { jobs, clock, newId }: TaskPorts,
  { ownerId, jobId, leaseId }: DelegatedJobInput,
): Promise<JobIn<'processing'> | undefined> {
  let stored = await jobs.get({ ownerId, jobId });
  const own = newId();
  // Reconcile may move the time of its next check between read and write.
  return retryConflicts(async () => {
    // The response to an earlier try was lost.
    if (holdsLease(own, stored)) return stored;
    if (!holdsLease(leaseId, stored)) return undefined;
    const change = takeOver(stored, { leaseId: own, now: clock.now() });
    const result = await jobs.write(change);
    if (result.written) return change.job;
    stored = result.current;
    return false;
  });
}
