import { addMs, durations } from './durations.ts';
import type { JobQueue } from './job-queue.ts';
import { longLane, permitsByGroup, workersOfLongJobs } from './lanes.ts';
import type { Clock, JobTable } from './ports.ts';
import { formatSlot, type Slot } from './slots.ts';

/**
 * Takes one of the permits of long jobs; false if all are taken. It expires when no worker of the attempt can run any
 * more.
 */
export async function enterLongLane(
  { queue: { long, workers }, clock }: { queue: JobQueue; clock: Clock },
  slot: Slot,
  { shortWaits }: { shortWaits: boolean },
): Promise<boolean> {
  const now = clock.now();
  const holder = formatSlot(slot);
  const endsAt = new Date(addMs(now, durations.sweepAfterClaimMs));
  for (const { group, max } of permitsByGroup(workersOfLongJobs(workers, { shortWaits }), holder)) {
    if (await long.take({ group, holder, endsAt }, { max, now })) return true;
  }
  return false;
}

/** Frees the permit of an attempt, if it has one, and wakes a worker for a waiting long job. */
export async function leaveLongLane(
  { jobs, queue }: { jobs: { waiting: JobTable['waiting'] }; queue: JobQueue },
  slot: Slot,
): Promise<void> {
  if (!(await freeLongPermit(queue, slot))) return;
  const [next] = await jobs.waiting({ lane: longLane, limit: 1 });
  if (next !== undefined) await queue.send(next);
}

/** Frees the permit of an attempt without a message; false if it has none. */
export async function freeLongPermit({ long, workers }: JobQueue, slot: Slot): Promise<boolean> {
  const holder = formatSlot(slot);
  for (const { group } of permitsByGroup(workersOfLongJobs(workers, { shortWaits: false }), holder)) {
    if (await long.free({ group, holder })) return true;
  }
  return false;
}
