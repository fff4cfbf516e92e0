import { jobTable } from '../../adapters/dynamodb/job-table.ts';
import type { JobTable } from '../../core/jobs/ports.ts';
import { jobMetrics } from '../../core/metrics/job-metrics.ts';
import { dynamo } from './clients/dynamo.ts';
import { type Emit, metricsToLog } from './metrics.ts';

/** The table of jobs, each of whose writes is counted for the operator. */
export function meteredJobTable(tableName: string): JobTable {
  return withMetrics(jobTable(dynamo, tableName), metricsToLog());
}

/** Emits what every change means that was written. */
export function withMetrics(jobs: JobTable, emit: Emit): JobTable {
  return {
    ...jobs,
    async write(change) {
      const result = await jobs.write(change);
      if (result.written) emit(jobMetrics(change), { jobId: change.job.jobId });
      return result;
    },
  };
}
