import type { SpendingCap } from '../access/spending-cap.ts';
import type { Clock, JobRef, JobTable } from '../jobs/ports.ts';
import { updateCounter } from '../jobs/update-counter.ts';
import { countCost, type SpendingCounters } from './spending-counter.ts';

export type CountCostDeps = {
  jobs: Pick<JobTable, 'get'>;
  clock: Pick<Clock, 'sleep'>;
  spending: SpendingCounters;
};

/**
 * Adds the cost of an ended or deleted job to the counter of each of its caps and removes its reservation, unless that was
 * done before. The caller then marks the record as counted.
 *
 * @throws ConflictError after 100 conflicts with other writes of one counter
 */
export async function countCostOfJob(
  { jobs, clock, spending }: CountCostDeps,
  { ownerId, jobId }: JobRef,
  caps: readonly SpendingCap[],
): Promise<void> {
  for (const { keyId } of caps) {
    await updateCounter({ jobs, clock, counters: spending }, { ownerId, jobId, keyId }, countCost);
  }
}
