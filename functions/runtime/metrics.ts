import * as z from 'zod';
import { jobTable } from '../../adapters/dynamodb/job-table.ts';
import type { JobTable } from '../../core/jobs/ports.ts';
import {
  jobMetrics,
  type MetricValues,
  metricNamespace,
  metricUnits,
} from '../../core/metrics/job-metrics.ts';
import { dynamo } from './clients/dynamo.ts';
import { readEnv } from './env.ts';
import { currentRequestId } from './logger.ts';

export type MetricEvent = {
  values: MetricValues;
  stage: string;
  at: Date;
  /** What the values are about; searched for in the logs, and no dimension. */
  logKeys?: { jobId?: string; requestId?: string };
};

/** A log line that CloudWatch reads as metrics (its embedded metric format); undefined where there are none. */
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

/** Writes metrics to the function's log. */
export type Emit = (values: MetricValues, about?: { jobId: string }) => void;

/** Metrics as lines of the function's log, from which CloudWatch takes them (embedded metric format). */
export function metricsToLog(): Emit {
  const { STAGE: stage } = readEnv(z.object({ STAGE: z.string() }));
  return (values, about) => {
    const requestId = currentRequestId();
    const line = metricLine({
      values,
      stage,
      at: new Date(),
      logKeys: { requestId, ...about },
    });
    // Lambda puts the time and the request id before a line of the console, which would be no JSON then.
    if (line !== undefined) process.stdout.write(`${line}\n`);
  };
}

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
