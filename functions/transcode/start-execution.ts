import type { ChunkedWork } from '../../core/chunking/plan/chunk-plan.ts';
import { chunkTasks } from '../../core/chunking/plan/chunk-plan.ts';
import { delegateToExecution, recordExecution } from '../../core/jobs/execution-transitions.ts';
import { holdsLease } from '../../core/jobs/held-by.ts';
import type { JobIn } from '../../core/jobs/record.ts';
import { retryUntil } from '../terminate-job/retry-until.ts';
import type { TranscodeDeps } from './transcode-deps.ts';

/** A work whose plan lies in the bucket. */
export type StoredChunkPlan = { work: ChunkedWork; planKey: string };

/**
 * Hands a job over to a state machine that works on its parts. Its name is written down before it is started, so that
 * a cancel stops it; where this worker dies in between, the lease ends soon and the next attempt goes on.
 */
export async function startExecution(
  { jobs, parallel, clock }: TranscodeDeps,
  job: JobIn<'processing'>,
  { work, planKey }: StoredChunkPlan,
): Promise<'delegated' | 'lost'> {
  const { ownerId, jobId, attempt, leaseId } = job;
  // The sound, of which one encoder does all, takes the longest: it begins first, that nobody waits for it in the end.
  const chunks = [...chunkTasks(work).keys()].reverse();
  // The join is one more that notes how far it is.
  const execution = { name: `${jobId}-${attempt}`, taskCount: chunks.length + 1 };
  let named = recordExecution(job, { execution, now: clock.now() });
  let result = await jobs.write(named);
  // Where the answer to the last heartbeat was lost, that was written, and the job is still this worker's.
  if (!result.written && holdsLease(leaseId, result.current)) {
    named = recordExecution({ ...job, dueAt: result.current.dueAt }, { execution, now: clock.now() });
    result = await jobs.write(named);
  }
  if (!result.written) return 'lost';
  const start = { name: execution.name, input: { ownerId, jobId, leaseId, planKey, chunks } };
  await retryUntil(clock, new Date(named.job.dueAt), () => parallel.start(start));
  // Where this is refused, reconcile has done it, or the job has ended already: the machine runs in any case.
  await jobs.write(delegateToExecution(named.job, clock.now()));
  return 'delegated';
}
