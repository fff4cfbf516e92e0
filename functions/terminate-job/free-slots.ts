import type { JobChange } from '../../core/jobs/guard.ts';
import type { JobRef, JobTable, TranscodeQueue } from '../../core/jobs/ports.ts';
import { type RunningSlots, slotFreedBy } from '../../core/jobs/slots.ts';

export type FreeSlotsDeps = {
  slots: RunningSlots;
  queue: TranscodeQueue;
  maxRunningJobs: number;
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
  { slots, queue, maxRunningJobs, onSlotFailure }: FreeSlotsDeps,
  change: JobChange,
): Promise<void> {
  const slot = slotFreedBy(change);
  if (slot === undefined) return;
  try {
    const { taken, next } = await slots.free(slot);
    if (taken < maxRunningJobs && next === undefined) return;
    const [oldest] = next === undefined ? await jobs.waiting({ ownerId: slot.ownerId, limit: 1 }) : [next];
    if (oldest !== undefined) await queue.send(oldest);
  } catch (cause) {
    onSlotFailure(slot, cause);
  }
}
