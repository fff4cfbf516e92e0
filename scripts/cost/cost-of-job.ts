import { callsOfJob } from './calls-of-job.ts';
import { costOfCallsTo, costOfUnits } from './cost-of-calls.ts';
import { apiSeconds, callsPerJob, deliverySeconds, onceAJob, requestsOfJob, unitsOfJob } from './per-job.ts';
import { prices } from './prices.ts';
import { jobSeconds, resultBytes, type Workload } from './workload.ts';

/** Dollars per job by component. */
export type CostBreakdown = Record<
  'transcoding' | 'disk' | 'api' | 'records' | 'webhook' | 'files' | 'logs' | 'traces',
  number
>;

const diskGb = 10 - 0.5;
const apiGb = 1;
const deliveryGb = 0.5;
const partBytes = 16 * 1024 * 1024;

const { work, deliver } = callsOfJob;

/** Cost of one job that succeeds, like its webhook, at the first attempt. */
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
      costOfCallsTo('events', onceAJob) +
      costOfCallsTo('lambda', [deliver]) +
      computing(deliveryGb, deliverySeconds),
    files: files(workload),
    // About 20 lines of 0.5 KB.
    logs: ((20 * 0.5) / 1e6) * prices.logs.dollars,
    // Upper bound: above one per second, X-Ray samples.
    traces: callsPerJob('lambda.Invoke') * prices.trace.dollars,
  };
}

/** Total in dollars. */
export function sum(breakdown: CostBreakdown): number {
  return Object.values(breakdown).reduce((total, cost) => total + cost, 0);
}

function gbSecond({ architecture }: Workload): number {
  return (architecture === 'arm64' ? prices.lambdaArm : prices.lambdaX86).dollars;
}

/** Storage and transfer of the result. A large one is a multipart upload, with one call to create and one to complete it. */
function files(workload: Workload): number {
  const bytes = resultBytes(workload);
  const parts = Math.ceil(bytes / partBytes);
  const furtherPuts = parts > 1 ? parts + 1 : 0;
  const gb = bytes / 1e9;
  const storage = gb * prices.fileMonth.dollars * (workload.retentionDays / 30);
  const put = costOfCallsTo('s3', onceAJob) + furtherPuts * prices.filePut.dollars;
  return put + storage + gb * workload.downloads * prices.transferOut.dollars;
}
