import type { JobChange } from '../jobs/guard.ts';
import { longLane } from '../jobs/lanes.ts';
import { leaveLongLane } from '../jobs/long-lane.ts';
import type { JobRef, JobTable, TranscodeQueue } from '../jobs/ports.ts';
import { type RunningSlots, slotFreedBy } from '../jobs/slots.ts';
import type { Permits } from '../permits.ts';

export type FreeSlotsDeps = {
  slots: RunningSlots;
  longPermits: Permits;
  queue: TranscodeQueue;
  maxRunningJobs: number;
  /** The jobs that the stage processes at the same time. */
  workers: number;
  /** Receives the error of a slot that was not freed: the next claim that needs it frees it. */
  onSlotFailure: (ref: JobRef, cause: unknown) => void;
};

/** A job table that frees the slot of each attempt that a write ends. */
export function freeingSlots(jobs: JobTable, deps: FreeSlotsDeps): JobTable {
  return {
    ...jobs,
    async write(change) {
      const result = await jobs.write(change);
      if (result.written) await freeSlot(jobs, deps, change);
      return result;
    },
  };
}

/**
 * Frees the slot of an ended attempt. If the owner was at its limit, one of its waiting jobs gets a message: the worker
 * that received its last one left it waiting.
 */
async function freeSlot(
  jobs: JobTable,
  { slots, longPermits, queue, maxRunningJobs, workers, onSlotFailure }: FreeSlotsDeps,
  change: JobChange,
): Promise<void> {
  const slot = slotFreedBy(change);
  if (slot === undefined) return;
  const { ownerId } = slot;
  const { job } = change;
  // A lost worker may have taken a permit before it recorded the lane.
  if (job.state === 'queued' || ('lane' in job && job.lane === longLane)) {
    await leaveLongLane({ longPermits, jobs, queue, workers }, slot).catch((cause: unknown) =>
      onSlotFailure(slot, cause),
    );
  }
  try {
    const { taken, next } = await slots.free(slot);
    if (taken < maxRunningJobs && next === undefined) return;
    const oldest = next ?? (await oldestWaiting(jobs, ownerId));
    if (oldest !== undefined) await queue.send(oldest);
  } catch (cause) {
    onSlotFailure(slot, cause);
  }
}

async function oldestWaiting(jobs: JobTable, ownerId: string): Promise<JobRef | undefined> {
  const [short] = await jobs.waiting({ ownerId, limit: 1 });
  const [long] = short === undefined ? await jobs.waiting({ ownerId, lane: longLane, limit: 1 }) : [];
  return short ?? long;
}
