import type { Permits } from '../permits.ts';
import { addMs, durations } from './durations.ts';
import { longLane, permitsByGroup, workersOfLongJobs } from './lanes.ts';
import type { Clock, JobTable, TranscodeQueue } from './ports.ts';
import { formatSlot, type Slot } from './slots.ts';

export type EnterLongLaneDeps = {
  longPermits: Permits;
  clock: Clock;
  /** The jobs that the stage processes at the same time. */
  workers: number;
};

/**
 * Takes one of the permits of long jobs; false if all are taken. It expires when no worker of the attempt can run any
 * more.
 */
export async function enterLongLane(
  { longPermits, clock, workers }: EnterLongLaneDeps,
  slot: Slot,
  { shortWaits }: { shortWaits: boolean },
): Promise<boolean> {
  const now = clock.now();
  const holder = formatSlot(slot);
  const endsAt = new Date(addMs(now, durations.sweepAfterClaimMs));
  for (const { group, max } of permitsByGroup(workersOfLongJobs(workers, { shortWaits }), holder)) {
    if (await longPermits.take({ group, holder, endsAt }, { max, now })) return true;
  }
  return false;
}

export type LeaveLongLaneDeps = {
  longPermits: Permits;
  jobs: Pick<JobTable, 'waiting'>;
  queue: TranscodeQueue;
  /** The jobs that the stage processes at the same time. */
  workers: number;
};

/** Frees the permit of an attempt, if it has one, and wakes a worker for a waiting long job. */
export async function leaveLongLane(deps: LeaveLongLaneDeps, slot: Slot): Promise<void> {
  if (!(await freeLongPermit(deps, slot))) return;
  const [next] = await deps.jobs.waiting({ lane: longLane, limit: 1 });
  if (next !== undefined) await deps.queue.send(next);
}

/** Frees the permit of an attempt without a message; false if it has none. */
export async function freeLongPermit(
  { longPermits, workers }: Pick<LeaveLongLaneDeps, 'longPermits' | 'workers'>,
  slot: Slot,
): Promise<boolean> {
  const holder = formatSlot(slot);
  for (const { group } of permitsByGroup(workersOfLongJobs(workers, { shortWaits: false }), holder)) {
    if (await longPermits.free({ group, holder })) return true;
  }
  return false;
}
