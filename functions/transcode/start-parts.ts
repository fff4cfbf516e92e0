import type { PartsWork } from '../../core/chunks/parts-plan.ts';
import { partsOf } from '../../core/chunks/parts-plan.ts';
import type { ParallelMachine } from '../../core/chunks/ports.ts';
import type { JobIn } from '../../core/jobs/job.ts';
import { handOver, leaveToMachine } from '../../core/jobs/parallel.ts';
import type { Clock, JobTable } from '../../core/jobs/ports.ts';

export type StartPartsPorts = {
  jobs: Pick<JobTable, 'write'>;
  parallel: Pick<ParallelMachine, 'start'>;
  clock: Pick<Clock, 'now'>;
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
  const parts = partsOf(work).map((_, part) => part);
  // The join is one more that notes how far it is.
  const execution = { name: `${jobId}-${attempt}`, parts: parts.length + 1 };
  const named = handOver(job, { execution, now: clock.now() });
  const { written } = await jobs.write(named);
  if (!written) return 'lost';
  await parallel.start({ name: execution.name, input: { ownerId, jobId, leaseId, planKey, parts } });
  const left = await jobs.write(leaveToMachine(named.job, clock.now()));
  return left.written ? 'handed-over' : 'lost';
}
