import type { JobTable } from '../../core/jobs/ports.ts';
import type { JobRecord } from '../../core/jobs/record.ts';
import { retryConflicts } from '../../core/jobs/retry-conflicts.ts';
import {
  type CountedRecord,
  jobIdsToCheck,
  nextUsageCounter,
  type UsageCounters,
  usageRefOf,
} from '../../core/jobs/usage-counter.ts';
import { type CountCostDeps, countCostOfJob } from '../spending/count-cost.ts';

export type CountUsageDeps = CountCostDeps & { jobs: Pick<JobTable, 'get'>; usage: UsageCounters };

/**
 * Adds an ended job to the usage of its owner, or subtracts a deleted one, and adds its cost to the spending counters of its
 * caps. Does nothing if that was done before. The caller then marks the record as counted.
 *
 * @param known a record of the job. Only its group is used: the record is read again after the counter
 * @throws ConflictError after 100 conflicts with other writes of the counter
 */
export async function countUsage(deps: CountUsageDeps, known: CountedRecord): Promise<void> {
  const { jobs, usage } = deps;
  const ref = usageRefOf(known);
  let job: JobRecord | undefined;
  await retryConflicts(async () => {
    const counter = await usage.read(ref);
    const [record, ...checked] = await Promise.all(
      [ref.jobId, ...jobIdsToCheck(counter)].map(
        async (jobId) => [jobId, await jobs.get({ ownerId: ref.ownerId, jobId })] as const,
      ),
    );
    job = record?.[1];
    const next = nextUsageCounter(counter, record?.[1], new Map(checked));
    return next === undefined || (await usage.write(ref, next));
  });
  await countCostOfJob(deps, ref, job?.spendingCaps ?? []);
}
