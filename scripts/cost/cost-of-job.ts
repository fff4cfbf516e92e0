import { callsOfJob } from './calls-of-job.ts';
import { costOfCallsTo, costOfUnits } from './cost-of-calls.ts';
import { apiSeconds, callsPerJob, deliverySeconds, onceAJob, requestsOfJob, unitsOfJob } from './per-job.ts';
import { prices } from './prices.ts';
import { jobSeconds, resultBytes, type Workload } from './workload.ts';

/** Dollars of one job, part by part. */
export type CostBreakdown = Record<
  'transcoding' | 'disk' | 'api' | 'records' | 'webhook' | 'files' | 'logs' | 'traces',
  number
>;

const diskGb = 10 - 0.5;
const apiGb = 1;
const deliveryGb = 0.5;
const partBytes = 16 * 1024 * 1024;

const { work, deliver } = callsOfJob;

/** What one job costs, when it succeeds at its first attempt and its webhook does. */
export function costOfJob(workload: Workload): CostBreakdown {
  const seconds = jobSeconds(workload);
  const computing = (gb: number, busySeconds: number) => gb * busySeconds * gbSecond(workload);
  return {
    transcoding: costOfCallsTo('lambda', [work]) + computing(workload.memoryMb / 1024, seconds),
    disk: seconds * diskGb * prices.lambdaDisk.dollars,
    api:
      costOfCallsTo('apigateway', onceAJob) +
      costOfCallsTo('lambda', requestsOfJob) +
      computing(apiGb, requestsOfJob.length * apiSeconds),
    records: costOfUnits(unitsOfJob(seconds)) + costOfCallsTo('sqs', onceAJob),
    webhook:
      costOfCallsTo('sfn', onceAJob) +
      costOfCallsTo('events', onceAJob) +
      costOfCallsTo('lambda', [deliver]) +
      computing(deliveryGb, deliverySeconds),
    files: files(workload),
    // Some twenty lines, half a kilobyte each.
    logs: ((20 * 0.5) / 1e6) * prices.logs.dollars,
    // Of every invocation: the most there are, above one a second X-Ray samples.
    traces: callsPerJob('lambda.Invoke') * prices.trace.dollars,
  };
}

/** Dollars of all parts together. */
export function sum(parts: CostBreakdown): number {
  return Object.values(parts).reduce((total, part) => total + part, 0);
}

/** A second of a function, for each GB of its memory. */
function gbSecond({ architecture }: Workload): number {
  return (architecture === 'arm64' ? prices.lambdaArm : prices.lambdaX86).dollars;
}

/** The result: one put, as counted; a large one goes in parts, with a call that begins and one that ends them. */
function files(workload: Workload): number {
  const bytes = resultBytes(workload);
  const parts = Math.ceil(bytes / partBytes);
  const more = parts > 1 ? parts + 1 : 0;
  const gb = bytes / 1e9;
  const kept = gb * prices.fileMonth.dollars * (workload.retentionDays / 30);
  const put = costOfCallsTo('s3', onceAJob) + more * prices.filePut.dollars;
  return put + kept + gb * workload.downloads * prices.transferOut.dollars;
}
