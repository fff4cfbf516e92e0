import type { ConcurrencyLimits } from '../concurrency-limit.ts';
import { addMs, durations } from './durations.ts';
import type { Clock, JobTable, TranscodeQueue } from './ports.ts';
import { longJobsQueue, partsOfLongLimit, workersOfLongJobs } from './queues.ts';
import { formatSlot, type RunningSlots, type Slot } from './slots.ts';

/** The queue of jobs, and what limits how many of them run at the same time. */
export type JobQueue = TranscodeQueue & {
  /** The running jobs of each owner. */
  running: RunningSlots;
  /** The running long jobs of all owners. */
  long: ConcurrencyLimits;
  /** Running jobs of one owner at most. */
  maxRunningJobs: number;
  /** The jobs that the stage processes at the same time, of all owners. */
  workers: number;
};

/**
 * Counts an attempt as one at a long job; false if as many run as may run. It counts until it leaves, or until no worker
 * of it can run any more.
 */
export async function enterLongLimit(
  { queue: { long, workers }, clock }: { queue: JobQueue; clock: Clock },
  slot: Slot,
  { shortWaits }: { shortWaits: boolean },
): Promise<boolean> {
  const now = clock.now();
  const name = formatSlot(slot);
  const endsAt = new Date(addMs(now, durations.sweepAfterClaimMs));
  for (const { limit, max } of partsOfLongLimit(workersOfLongJobs(workers, { shortWaits }), name)) {
    if (await long.enter({ limit, name, endsAt }, { max, now })) return true;
  }
  return false;
}

/** Counts an attempt as a long one no longer, if it did, and wakes a worker for a waiting long job. */
export async function leaveLongLimit(
  { jobs, queue }: { jobs: { waiting: JobTable['waiting'] }; queue: JobQueue },
  slot: Slot,
): Promise<void> {
  if (!(await freeLongEntry(queue, slot))) return;
  const [next] = await jobs.waiting({ queue: longJobsQueue, limit: 1 });
  if (next !== undefined) await queue.send(next);
}

/** Counts an attempt as a long one no longer, without a message; false if it did not count. */
export async function freeLongEntry({ long, workers }: JobQueue, slot: Slot): Promise<boolean> {
  const name = formatSlot(slot);
  for (const { limit } of partsOfLongLimit(workersOfLongJobs(workers, { shortWaits: false }), name)) {
    if (await long.leave({ limit, name })) return true;
  }
  return false;
}
