import type { SpendingCap } from '../../core/access/spending-cap.ts';
import type { JobRef, JobTable } from '../../core/jobs/ports.ts';
import { retryConflicts } from '../../core/jobs/retry-conflicts.ts';
import {
  type AccountRef,
  countCost,
  idsToCheck,
  type SpendingAccounts,
} from '../../core/spending/spending-account.ts';

export type CountCostDeps = { jobs: Pick<JobTable, 'get'>; spending: SpendingAccounts };

/**
 * Adds the cost of an ended or deleted job to the account of each of its caps and removes its reservation, unless that was
 * done before. The caller then writes the record that demands no change any more.
 *
 * @throws AppError UNAVAILABLE after 100 conflicts with other writes of one account
 */
export async function countCostOfJob(
  deps: CountCostDeps,
  { ownerId, jobId }: JobRef,
  caps: readonly SpendingCap[],
): Promise<void> {
  for (const { keyId } of caps) await countInAccount(deps, { ownerId, jobId, keyId });
}

function countInAccount({ jobs, spending }: CountCostDeps, ref: AccountRef): Promise<void> {
  const { ownerId } = ref;
  return retryConflicts(async () => {
    const account = await spending.read(ref);
    const [record, ...checked] = await Promise.all(
      [ref.jobId, ...idsToCheck(account)].map(
        async (jobId) => [jobId, await jobs.get({ ownerId, jobId })] as const,
      ),
    );
    const next = countCost(account, record?.[1], new Map(checked));
    return next === undefined || (await spending.write(ref, next));
  });
}
