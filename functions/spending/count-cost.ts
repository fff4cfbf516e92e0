import type { SpendingCap } from '../../core/access/spending-cap.ts';
import type { JobRef, JobTable } from '../../core/jobs/ports.ts';
import { retryConflicts } from '../../core/jobs/retry-conflicts.ts';
import {
  countCost,
  idsToCheck,
  type SpendingCounters,
  type SpendingRef,
} from '../../core/spending/spending-counter.ts';

export type CountCostDeps = { jobs: Pick<JobTable, 'get'>; spending: SpendingCounters };

/**
 * Adds the cost of an ended or deleted job to the counter of each of its caps and removes its reservation, unless that was
 * done before. The caller then marks the record as counted.
 *
 * @throws ConflictError after 100 conflicts with other writes of one counter
 */
export async function countCostOfJob(
  deps: CountCostDeps,
  { ownerId, jobId }: JobRef,
  caps: readonly SpendingCap[],
): Promise<void> {
  for (const { keyId } of caps) await countForCap(deps, { ownerId, jobId, keyId });
}

async function countForCap({ jobs, spending }: CountCostDeps, ref: SpendingRef): Promise<void> {
  const { ownerId } = ref;
  await retryConflicts(async () => {
    const counter = await spending.read(ref);
    const [record, ...checked] = await Promise.all(
      [ref.jobId, ...idsToCheck(counter)].map(
        async (jobId) => [jobId, await jobs.get({ ownerId, jobId })] as const,
      ),
    );
    const next = countCost(counter, record?.[1], new Map(checked));
    return next === undefined || (await spending.write(ref, next));
  });
}
