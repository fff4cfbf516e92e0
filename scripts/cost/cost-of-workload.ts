import { type CostBreakdown, costOfJob } from '../../core/pricing/cost-of-job.ts';
import { usualRepetitions } from '../../core/pricing/per-job.ts';
import { pricesOf } from '../../core/pricing/prices-of-region.ts';
import { jobSeconds, resultBytes, type Workload } from './workload.ts';

/** Cost of one job of a workload that succeeds, like its webhook, at the first attempt, in a single pass. */
export function costOfWorkload(workload: Workload): CostBreakdown {
  const use = {
    workerSeconds: jobSeconds(workload),
    tasks: 0,
    executions: 0,
    outputs: 1,
    outputBytes: resultBytes(workload),
    ...usualRepetitions,
    downloads: workload.downloads,
  };
  return costOfJob(use, { ...workload, prices: pricesOf(workload.region) });
}
