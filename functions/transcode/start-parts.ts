import type { PartsWork } from '../../core/chunks/parts-plan.ts';
import { partsOf } from '../../core/chunks/parts-plan.ts';
import type { ParallelMachine } from '../../core/chunks/ports.ts';
import { isHeldBy } from '../../core/jobs/held-by.ts';
import type { JobIn } from '../../core/jobs/job.ts';
import { handOver, leaveToMachine } from '../../core/jobs/parallel.ts';
import type { Clock, JobTable } from '../../core/jobs/ports.ts';
import { insist } from '../ending/insist.ts';

export type StartPartsPorts = {
  jobs: Pick<JobTable, 'write'>;
  parallel: Pick<ParallelMachine, 'start'>;
  clock: Clock;
};

/** A work whose plan lies in the bucket. */
export type StoredParts = { work: PartsWork; planKey: string };

/**
 * Hands a job over to a state machine that works on its parts. Its name is written down before it is started, so that
 * a cancel stops it; where this worker dies in between, the lease ends soon and the next attempt goes on.
 */
export async function startParts(
  { jobs, parallel, clock }: StartPartsPorts,
  job: JobIn<'processing'>,
  { work, planKey }: StoredParts,
): Promise<'handed-over' | 'lost'> {
  const { ownerId, jobId, attempt, leaseId } = job;
  // The sound, of which one encoder does all, takes the longest: it begins first, that nobody waits for it in the end.
  const parts = [...partsOf(work).keys()].reverse();
  // The join is one more that notes how far it is.
  const execution = { name: `${jobId}-${attempt}`, parts: parts.length + 1 };
  let named = handOver(job, { execution, now: clock.now() });
  let result = await jobs.write(named);
  // Where the answer to the last heartbeat was lost, that was written, and the job is still this worker's.
  if (!result.written && isHeldBy(leaseId, result.current)) {
    named = handOver({ ...job, dueAt: result.current.dueAt }, { execution, now: clock.now() });
    result = await jobs.write(named);
  }
  if (!result.written) return 'lost';
  const start = { name: execution.name, input: { ownerId, jobId, leaseId, planKey, parts } };
  await insist(clock, new Date(named.job.dueAt), () => parallel.start(start));
  // Where this is refused, reconcile has done it, or the job has ended already: the machine runs in any case.
  await jobs.write(leaveToMachine(named.job, clock.now()));
  return 'handed-over';
}
