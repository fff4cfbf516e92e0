import type { SpendingCap } from '../access/owner-limits.ts';
import type { JobRef } from '../jobs/ports.ts';
import {
  type CountedRecord,
  nextUsageCounter,
  type UsageCounters,
  updateCounter,
  usageRefOf,
} from '../jobs/usage-counter.ts';
import type { ReserveCostDeps } from './reserve-cost.ts';
import { countCost } from './spending-counter.ts';

export type CountUsageDeps = ReserveCostDeps & { usage: UsageCounters };

/**
 * Adds an ended job to the usage of its owner, or subtracts a deleted one, and adds its cost to the spending counters of its
 * caps. Does nothing if that was done before. The caller then marks the record as counted.
 *
 * @param known a record of the job. Only its group is used: the record is read again after the counter
 * @throws ConflictError after 100 conflicts with other writes of the counter
 */
export async function countUsage(deps: CountUsageDeps, known: CountedRecord): Promise<void> {
  const { jobs, clock, usage } = deps;
  const ref = usageRefOf(known);
  const job = await updateCounter({ jobs, clock, counters: usage }, ref, nextUsageCounter);
  await countCostOfJob(deps, ref, job?.spendingCaps ?? []);
}

/**
 * Adds the cost of an ended or deleted job to the counter of each of its caps and removes its reservation, unless that was
 * done before. The caller then marks the record as counted.
 *
 * @throws ConflictError after 100 conflicts with other writes of one counter
 */
export async function countCostOfJob(
  { jobs, clock, spending }: ReserveCostDeps,
  { ownerId, jobId }: JobRef,
  caps: readonly SpendingCap[],
): Promise<void> {
  for (const { keyId } of caps) {
    await updateCounter({ jobs, clock, counters: spending }, { ownerId, jobId, keyId }, countCost);
  }
}
