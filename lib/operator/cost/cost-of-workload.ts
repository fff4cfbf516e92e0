import { type CostBreakdown, costOfJob } from '../../../core/pricing/cost-of-job.ts';
import { usualReads } from '../../../core/pricing/per-job.ts';
import { expectedUseOf, type Workload, workersOf } from './workload.ts';

/** Cost of one job of a workload that succeeds, like its webhook, at the first attempt. */
export function costOfWorkload(workload: Workload): CostBreakdown {
  const { downloads } = workload;
  return costOfJob({ ...expectedUseOf(workload), reads: usualReads, downloads }, workersOf(workload));
}
