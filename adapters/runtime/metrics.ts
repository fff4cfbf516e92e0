import * as z from 'zod';
import type { JobTable } from '../../core/jobs/ports.ts';
import type { JobRecord } from '../../core/jobs/record.ts';
import type { JobFailure } from '../../core/jobs/states.ts';
import { jobMetrics, type MetricValues, metricNamespace, metricUnits } from '../../core/metrics/job-metrics.ts';
import { jobTable } from '../dynamodb/job-table.ts';
import { dynamo } from './clients/dynamo.ts';
import { readEnv } from './env.ts';
import { currentRequestId } from './logger.ts';

export type MetricEvent = { values: MetricValues; stage: string; at: Date; logKeys?: LogKeys & { requestId?: string } };

/** Keys for searching the logs. They are not dimensions. */
type LogKeys = { jobId?: string; ownerId?: string; error?: JobFailure };

/** A log line in CloudWatch's embedded metric format; undefined without values. */
export function metricLine({ values, stage, at, logKeys }: MetricEvent): string | undefined {
  const names = Object.keys(metricUnits).filter((name) => name in values);
  if (names.length === 0) return undefined;
  const metrics = names.map((Name) => ({ Name, Unit: metricUnits[Name as keyof typeof metricUnits] }));
  const directive = { Namespace: metricNamespace, Dimensions: [['stage']], Metrics: metrics };
  return JSON.stringify({
    _aws: { Timestamp: at.getTime(), CloudWatchMetrics: [directive] },
    stage,
    ...logKeys,
    ...values,
  });
}

export type Emit = (values: MetricValues, logKeys?: LogKeys) => void;

export function metricsToLog(): Emit {
  const { STAGE: stage } = readEnv(z.object({ STAGE: z.string() }));
  return (values, logKeys) => {
    const requestId = currentRequestId();
    const line = metricLine({ values, stage, at: new Date(), logKeys: { requestId, ...logKeys } });
    // Not console.log: Lambda prefixes its lines with time and request id, so they are not JSON.
    if (line !== undefined) process.stdout.write(`${line}\n`);
  };
}

export function meteredJobTable(tableName: string): JobTable {
  return withMetrics(jobTable(dynamo, tableName), metricsToLog());
}

export function withMetrics(jobs: JobTable, emit: Emit): JobTable {
  return {
    ...jobs,
    async write(change) {
      const result = await jobs.write(change);
      if (result.written) {
        const { jobId, ownerId } = change.job;
        const values = jobMetrics(change);
        emit(values, { jobId, ownerId, ...failureKeys(change.job, values) });
      }
      return result;
    },
  };
}

/** Why a job has failed now: most failures are logged nowhere else. */
function failureKeys(job: JobRecord, { JobsFailed, JobsRejected }: MetricValues): LogKeys {
  if ((JobsFailed ?? JobsRejected) === undefined || !('error' in job)) return {};
  return { error: job.error };
}
