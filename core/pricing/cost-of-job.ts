import { callsOfJob } from './calls-of-job.ts';
import { costOfCallsTo, costOfUnits } from './cost-of-calls.ts';
import type { costParts } from './cost-parts.ts';
import { apiSeconds, deliverySeconds, onceAJob, requestsOfJob, unitsOfJob } from './per-job.ts';
import type { PricedStage } from './priced-stage.ts';
import { prices } from './prices.ts';

/** Dollars per job by part. */
export type CostBreakdown = Record<(typeof costParts)[number], number>;

/** What a job used, or is expected to use. */
export type JobUse = {
  /** Seconds of all functions that ran ffmpeg on the job. */
  workerSeconds: number;
  /** Times that a worker has claimed the job. */
  attempts: number;
  /** Chunk tasks, audio and join included; 0 for a single pass. */
  tasks: number;
  /** Executions of the state machines. */
  executions: number;
  /** Fargate tasks, and their seconds together; left out without any. */
  fargateTasks?: number;
  fargateSeconds?: number;
  /** Files in the bucket of the stage, and their bytes. */
  outputs: number;
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

/** Log lines of an invocation, of 0.5 KB each: three of Lambda, one of the function. */
const logLines = 4;

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
  const once = onceAJob(use);
  const invocations = once.reduce((sum, { calls }) => sum + (calls['lambda.Invoke'] ?? 0), use.tasks);
  return {
    transcoding:
      costOfCallsTo('lambda', [work]) * use.attempts + computing(stage.memoryMb / 1024, use.workerSeconds),
    disk: use.workerSeconds * diskGb * prices.lambdaDisk.dollars,
    chunks: costOfTasks(use),
    fargate: costOfFargate(use, stage),
    api:
      costOfCallsTo('apigateway', once) +
      costOfCallsTo('lambda', requests) +
      computing(apiGb, requests.length * apiSeconds),
    records:
      costOfUnits(unitsOfJob(use.workerSeconds + (use.fargateSeconds ?? 0), use)) +
      costOfCallsTo('sqs', once),
    webhook:
      costOfCallsTo('events', once) +
      costOfCallsTo('lambda', [deliver]) +
      computing(deliveryGb, deliverySeconds),
    files: costOfFiles(use, stage),
    logs: ((invocations * logLines * 0.5) / 1e6) * prices.logs.dollars,
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
function costOfTasks({ tasks, executions }: JobUse): number {
  const perTask =
    prices.lambdaRequest.dollars +
    3 * prices.queueRequest.dollars +
    prices.transition.dollars +
    taskGets * prices.fileGet.dollars +
    taskPuts * prices.filePut.dollars;
  return tasks * perTask + executions * executionTransitions * prices.transition.dollars;
}

/** Billed seconds before a Fargate task takes its job over: the download of its image, and its start. Assumed. */
const fargateStartSeconds = 30;
const includedFargateGb = 20;

/** Fargate tasks at the prices on demand; those of Spot are lower and change. */
function costOfFargate(
  { fargateTasks = 0, fargateSeconds = 0 }: JobUse,
  { architecture, fargate }: PricedStage,
): number {
  if (fargate === undefined) return 0;
  const isArm = architecture === 'arm64';
  const { fargateDisk, publicAddress } = prices;
  const cpu = isArm ? prices.fargateCpuArm : prices.fargateCpuX86;
  const memory = isArm ? prices.fargateMemoryArm : prices.fargateMemoryX86;
  const second =
    fargate.vcpus * cpu.dollars +
    (fargate.memoryMb / 1024) * memory.dollars +
    Math.max(0, fargate.storageGb - includedFargateGb) * fargateDisk.dollars +
    (fargate.hasPublicAddress ? publicAddress.dollars : 0);
  return (fargateSeconds + fargateTasks * fargateStartSeconds) * second;
}

/** Storage and transfer of the results. A large one is a multipart upload, with one call to create and one to complete it. */
function costOfFiles({ outputs, outputBytes, downloads }: JobUse, { retentionDays }: PricedStage): number {
  const parts = Math.ceil(outputBytes / partBytes);
  const furtherPuts = parts > outputs ? parts + 1 : 0;
  const gb = outputBytes / 1e9;
  const storage = gb * prices.fileMonth.dollars * (retentionDays / 30);
  const puts = (outputs + furtherPuts) * prices.filePut.dollars;
  return puts + storage + gb * downloads * prices.transferOut.dollars;
}
