import type { JobChange } from '../jobs/guard.ts';
import { type JobQueue, leaveLongLimit } from '../jobs/job-queue.ts';
import type { JobRef, JobTable } from '../jobs/ports.ts';
import { longJobsQueue } from '../jobs/queues.ts';
import { slotFreedBy } from '../jobs/slots.ts';

export type FreeSlotsDeps = {
  queue: JobQueue;
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
async function freeSlot(jobs: JobTable, { queue, onSlotFailure }: FreeSlotsDeps, change: JobChange): Promise<void> {
  const slot = slotFreedBy(change);
  if (slot === undefined) return;
  const { ownerId } = slot;
  const { job } = change;
  // A lost worker may have entered the limit of long jobs before it recorded that.
  if (job.state === 'queued' || ('lane' in job && job.lane === longJobsQueue)) {
    await leaveLongLimit({ jobs, queue }, slot).catch((cause: unknown) => onSlotFailure(slot, cause));
  }
  try {
    const { taken, next } = await queue.running.free(slot);
    if (taken < queue.maxRunningJobs && next === undefined) return;
    const oldest = next ?? (await oldestWaiting(jobs, ownerId));
    if (oldest !== undefined) await queue.send(oldest);
  } catch (cause) {
    onSlotFailure(slot, cause);
  }
}

async function oldestWaiting(jobs: JobTable, ownerId: string): Promise<JobRef | undefined> {
  const [short] = await jobs.waiting({ ownerId, limit: 1 });
  const [long] = short === undefined ? await jobs.waiting({ ownerId, lane: longJobsQueue, limit: 1 }) : [];
  return short ?? long;
}
