import { longLane } from '../../core/jobs/lanes.ts';
import type { JobIn } from '../../core/jobs/record.ts';
import { leaveLongLane } from '../long-lane/permits.ts';
import type { TranscodeDeps } from '../worker/worker-deps.ts';

/** Frees what the worker of a delegated job held: its share of the workers and its permit. The job keeps its slot. */
export async function leaveWorker(
  deps: Pick<TranscodeDeps, 'jobs' | 'queue' | 'slots' | 'longPermits' | 'workers' | 'onUnexpected'>,
  job: JobIn<'processing'>,
): Promise<void> {
  const { ownerId, jobId, attempt, lane } = job;
  const slot = { ownerId, jobId, attempt };
  // After a failure the slot counts as a worker until the job ends.
  await deps.slots.releaseWorker(slot).catch((cause: unknown) => deps.onUnexpected(job, cause));
  if (lane !== longLane) return;
  await leaveLongLane(deps, slot).catch((cause: unknown) => deps.onUnexpected(job, cause));
}
