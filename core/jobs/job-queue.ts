import type { ConcurrencyLimits } from '../concurrency-limit.ts';
import { addMs, durations } from './durations.ts';
import type { Clock, JobTable, TranscodeQueue } from './ports.ts';
import { type LimitedQueue, partsOfLimit } from './queues.ts';
import { formatSlot, type RunningSlots, type Slot } from './slots.ts';

/** The queue of jobs, and what limits how many of them run at the same time. */
export type JobQueue = TranscodeQueue & {
  /** The running jobs of each owner. */
  running: RunningSlots;
  /** The running jobs of limited queues, of all owners. */
  long: ConcurrencyLimits;
  /** Running jobs of one owner at most. */
  maxRunningJobs: number;
  /** The jobs that the stage processes at the same time, of all owners. */
  workers: number;
};

/**
 * Counts an attempt as one at a job of a limited queue; false if as many run as may run. It counts until it leaves, or
 * until no worker of it can run any more.
 */
export async function enterLimit(
  { queue: { long, workers }, clock }: { queue: JobQueue; clock: Clock },
  slot: Slot,
  { limited, shortWaits }: { limited: LimitedQueue; shortWaits: boolean },
): Promise<boolean> {
  const now = clock.now();
  const name = formatSlot(slot);
  const endsAt = new Date(addMs(now, durations.sweepAfterClaimMs));
  for (const { limit, max } of partsOfLimit(limited, { workers, shortWaits }, name)) {
    if (await long.enter({ limit, name, endsAt }, { max, now })) return true;
  }
  return false;
}

/** Counts an attempt no longer, if it did, and wakes a worker for a waiting job of the queue. */
export async function leaveLimit(
  { jobs, queue }: { jobs: { waiting: JobTable['waiting'] }; queue: JobQueue },
  slot: Slot,
  limited: LimitedQueue,
): Promise<void> {
  if (!(await freeEntry(queue, slot, limited))) return;
  const [next] = await jobs.waiting({ queue: limited, limit: 1 });
  if (next !== undefined) await queue.send(next);
}

/** Counts an attempt no longer, without a message; false if it did not count. */
export async function freeEntry({ long, workers }: JobQueue, slot: Slot, limited: LimitedQueue): Promise<boolean> {
  const name = formatSlot(slot);
  for (const { limit } of partsOfLimit(limited, { workers, shortWaits: false }, name)) {
    if (await long.leave({ limit, name })) return true;
  }
  return false;
}
