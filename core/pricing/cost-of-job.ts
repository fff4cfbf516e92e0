import { callsOfJob } from './calls-of-job.ts';
import { costOfCallsTo, costOfUnits } from './cost-of-calls.ts';
import type { costParts } from './cost-parts.ts';
import { apiSeconds, deliverySeconds, onceAJob, requestsOfJob, unitsOfJob } from './per-job.ts';
import { prices } from './prices.ts';

/** Dollars per job by part. */
export type CostBreakdown = Record<(typeof costParts)[number], number>;

/** The function that works on jobs, and how long its files are kept. */
export type PricedStage = {
  architecture: 'arm64' | 'x86_64';
  memoryMb: number;
  retentionDays: number;
};

/** What a job used, or is expected to use. */
export type JobUse = {
  /** Seconds of all functions that ran ffmpeg on the job. */
  workerSeconds: number;
  /** Chunk tasks, audio and join included; 0 for a single pass. */
  tasks: number;
  outputBytes: number;
  /** Requests of the owner that read the job. */
  reads: number;
  /** Downloads of the outputs to the internet. */
  downloads: number;
};

const diskGb = 10 - 0.5;
const apiGb = 1;
const deliveryGb = 0.5;
const partBytes = 16 * 1024 * 1024;

/** Requests of a chunk task to S3, as counted on the local stage: its plan, the source in ranges, its result. */
const taskGets = 5;
const taskPuts = 2;

/** State transitions of an execution besides one for each task: start, Map and end. */
const executionTransitions = 3;

/** The cost of one job whose webhook succeeds at the first attempt, at the prices of `prices.ts`. */
export function costOfJob(use: JobUse, stage: PricedStage): CostBreakdown {
  const { work, deliver } = callsOfJob;
  const computing = (gb: number, seconds: number) => gb * seconds * gbSecond(stage);
  const requests = requestsOfJob(use.reads);
  const once = onceAJob(use.reads);
  const invocations = once.reduce((sum, { calls }) => sum + (calls['lambda.Invoke'] ?? 0), use.tasks);
  return {
    transcoding: costOfCallsTo('lambda', [work]) + computing(stage.memoryMb / 1024, use.workerSeconds),
    disk: use.workerSeconds * diskGb * prices.lambdaDisk.dollars,
    chunks: costOfTasks(use.tasks),
    api:
      costOfCallsTo('apigateway', once) +
      costOfCallsTo('lambda', requests) +
      computing(apiGb, requests.length * apiSeconds),
    records: costOfUnits(unitsOfJob(use.workerSeconds, use.reads)) + costOfCallsTo('sqs', once),
    webhook:
      costOfCallsTo('events', once) +
      costOfCallsTo('lambda', [deliver]) +
      computing(deliveryGb, deliverySeconds),
    files: costOfFiles(use, stage, costOfCallsTo('s3', once)),
    // About 20 lines of 0.5 KB.
    logs: ((20 * 0.5) / 1e6) * prices.logs.dollars,
    // Upper bound: above one per second, X-Ray samples.
    traces: invocations * prices.trace.dollars,
  };
}

/** Total in dollars. */
export function sumOfParts(breakdown: CostBreakdown): number {
  return Object.values(breakdown).reduce((total, cost) => total + cost, 0);
}

function gbSecond({ architecture }: PricedStage): number {
  return (architecture === 'arm64' ? prices.lambdaArm : prices.lambdaX86).dollars;
}

/** Invocations, messages, transitions and requests to S3 of chunk tasks. */
function costOfTasks(tasks: number): number {
  if (tasks === 0) return 0;
  const perTask =
    prices.lambdaRequest.dollars +
    3 * prices.queueRequest.dollars +
    prices.transition.dollars +
    taskGets * prices.fileGet.dollars +
    taskPuts * prices.filePut.dollars;
  return tasks * perTask + executionTransitions * prices.transition.dollars;
}

/** Storage and transfer of the result. A large one is a multipart upload, with one call to create and one to complete it. */
function costOfFiles(
  { outputBytes, downloads }: JobUse,
  { retentionDays }: PricedStage,
  put: number,
): number {
  const parts = Math.ceil(outputBytes / partBytes);
  const furtherPuts = parts > 1 ? parts + 1 : 0;
  const gb = outputBytes / 1e9;
  const storage = gb * prices.fileMonth.dollars * (retentionDays / 30);
  return put + furtherPuts * prices.filePut.dollars + storage + gb * downloads * prices.transferOut.dollars;
}
