import { workPrefix } from '../../core/chunking/plan/work-keys.ts';
import type { JobRef } from '../../core/jobs/ports.ts';
import { isTerminal } from '../../core/jobs/record.ts';
import type { WorkerDeps } from '../worker/worker-deps.ts';

/**
 * Removes all that the parts of a job left for each other, where the job has ended or is gone; what another attempt may
 * go on with stays.
 */
export async function removeWorkFiles({ jobs, files, onUnexpected }: WorkerDeps, ref: JobRef): Promise<void> {
  try {
    const job = await jobs.get(ref);
    if (job === undefined || job.state === 'deleted' || isTerminal(job))
      await files.removeAll(workPrefix(ref.jobId));
  } catch (cause) {
    onUnexpected(ref, cause);
  }
}
