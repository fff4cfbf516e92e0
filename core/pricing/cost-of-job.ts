import type { Job, TerminalJob } from '../jobs/record.ts';
import type { JobRequestRecord } from '../jobs/request-record.ts';
import { type Destination, folderOf, placeOf, type StoredFile, sizeBytesOf } from '../jobs/stored-file.ts';
import type { JobCost } from '../jobs/usage.ts';
import { jobsPerPoolTask, poolOverhead, poolSlots, poolTask } from './fargate-computer.ts';
import {
  apiSeconds,
  callsOfDownload,
  callsOfJob,
  costOfCalls,
  costOfCallsTo,
  costOfUnits,
  deliverySeconds,
  onceAJob,
  openSeconds,
  requestsOfJob,
  unitsOfJob,
  unitsOfTasks,
} from './per-job.ts';
import {
  type costParts,
  defaultPrices,
  dollarsOf,
  type PricedStage,
  type Prices,
  storageDays,
} from './region-prices.ts';

export type CostBreakdown = Record<(typeof costParts)[number], number>;

export type JobUse = {
  /** Seconds of all functions that ran ffmpeg on the job. */
  workerSeconds: number;
  /** Times that a worker has claimed the job. */
  attempts: number;
  /** Chunk tasks, audio and join included; 0 for a single pass. */
  tasks: number;
  /** Executions of the state machines. */
  executions: number;
  /** Of `workerSeconds`, those of chunk tasks and joins; left out without any. */
  taskSeconds?: number;
  fargateTasks?: number;
  fargateSeconds?: number;
  /** Seconds in tasks of the pool, by their capacity; left out without any. */
  spotSeconds?: number;
  onDemandSeconds?: number;
  /** Files in the bucket of the stage, and their bytes. */
  outputs: number;
  outputBytes: number;
  /** Days that S3 bills these bytes, on average. Left out if the stage decides. */
  storageDays?: number | undefined;
  /** Bytes of files that are sent to a storage provider outside AWS; left out without any. */
  sentBytes?: number;
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

/** State transitions of an execution besides one for each task: start, two Maps and end. */
const executionTransitions = 4;

/** The cost of one job whose webhook succeeds at the first attempt, at the prices of the stage's region. */
export function costOfJob(use: JobUse, stage: PricedStage): CostBreakdown {
  const { work, deliver } = callsOfJob;
  const prices = dollarsOf(stage.prices ?? defaultPrices);
  const gbSecond = stage.architecture === 'arm64' ? prices.lambdaArm : prices.lambdaX86;
  const computing = (gb: number, seconds: number) => gb * seconds * gbSecond;
  const { taskSeconds = 0, fargateSeconds = 0, spotSeconds = 0, onDemandSeconds = 0 } = use;
  const poolSeconds = spotSeconds + onDemandSeconds;
  const requests = requestsOfJob(use.reads);
  const once = onceAJob(use);
  const invocations = once.reduce((sum, { calls }) => sum + (calls['lambda.Invoke'] ?? 0), 2 * use.tasks);
  return {
    transcoding:
      (poolSeconds > 0 ? 0 : costOfCallsTo('lambda', [work], prices) * use.attempts) +
      computing(apiGb, use.attempts * openSeconds) +
      computing(stage.memoryMb / 1024, use.workerSeconds),
    disk: use.workerSeconds * diskGb * prices.lambdaDisk,
    chunks: costOfTasks(use, prices),
    fargate: costOfFargate(use, stage, prices),
    api:
      costOfCallsTo('apigateway', once, prices) +
      costOfCallsTo('lambda', requests, prices) +
      computing(apiGb, requests.length * apiSeconds),
    records:
      costOfUnits(unitsOfJob(use.workerSeconds - taskSeconds + fargateSeconds + poolSeconds, use), prices) +
      costOfUnits(unitsOfTasks(use), prices) +
      costOfCallsTo('sqs', once, prices),
    webhook:
      costOfCallsTo('events', once, prices) +
      costOfCallsTo('lambda', [deliver], prices) +
      computing(deliveryGb, deliverySeconds),
    files: costOfFiles(use, stage),
    logs: ((invocations * logLines * 0.5) / 1e6) * prices.logs,
    // Upper bound: above one per second, X-Ray samples.
    traces: invocations * prices.trace,
  };
}

/** Total in dollars. */
export function sumOfParts(breakdown: CostBreakdown): number {
  return Object.values(breakdown).reduce((total, cost) => total + cost, 0);
}

/** Invocations, messages, transitions and requests to S3 of chunk tasks. */
function costOfTasks({ tasks, executions }: JobUse, prices: Prices): number {
  const perTask =
    2 * prices.lambdaRequest +
    3 * prices.fifoQueueRequest +
    prices.transition +
    taskGets * prices.fileGet +
    taskPuts * prices.filePut;
  return tasks * perTask + executions * executionTransitions * prices.transition;
}

/** Billed seconds before a Fargate task takes its job over: the download of its image, and its start. Assumed. */
const fargateStartSeconds = 30;
const minFargateSeconds = 60;
const includedFargateGb = 20;

/** Fargate tasks of jobs at the prices on demand; of the pool, a share by the jobs that a task has at once. */
function costOfFargate(
  { fargateTasks = 0, fargateSeconds = 0, spotSeconds = 0, onDemandSeconds = 0 }: JobUse,
  stage: PricedStage,
  prices: Prices,
): number {
  if (stage.fargate === undefined) return 0;
  const onDemand = dollarsOfTask(stage, stage.fargate, prices);
  const seconds = Math.max(fargateSeconds + fargateTasks * fargateStartSeconds, fargateTasks * minFargateSeconds);
  const shared =
    sharedSeconds(spotSeconds) * dollarsOfTask(stage, poolTask, prices, prices.fargateSpot) +
    sharedSeconds(onDemandSeconds) * dollarsOfTask(stage, poolTask, prices);
  return seconds * onDemand + shared;
}

/** Seconds of a task of the pool for those of a job in it, with a share of its start and of its time without work. */
function sharedSeconds(seconds: number): number {
  const { idle, startSeconds } = poolOverhead;
  return seconds === 0 ? 0 : (seconds / poolSlots) * (1 + idle) + startSeconds / jobsPerPoolTask;
}

/** Dollars of a task for a second. `rate` is the share of the price on demand that its vCPUs and memory cost. */
function dollarsOfTask(
  { architecture, fargate }: PricedStage,
  task: { vcpus: number; memoryMb: number; storageGb: number },
  prices: Prices,
  rate = 1,
): number {
  const isArm = architecture === 'arm64';
  const { fargateDisk, publicAddress } = prices;
  const cpu = isArm ? prices.fargateCpuArm : prices.fargateCpuX86;
  const memory = isArm ? prices.fargateMemoryArm : prices.fargateMemoryX86;
  const hour =
    rate * (task.vcpus * cpu + (task.memoryMb / 1024) * memory) +
    Math.max(0, task.storageGb - includedFargateGb) * fargateDisk +
    (fargate?.hasPublicAddress ? publicAddress : 0);
  return hour / 3600;
}

/** Storage and transfer of the results. A large one is a multipart upload, with one call to create and one to complete it. */
export function costOfFiles(
  use: Pick<JobUse, 'outputs' | 'outputBytes' | 'storageDays' | 'downloads' | 'sentBytes'>,
  { retentionDays, prices: ofRegion = defaultPrices }: PricedStage,
): number {
  const { outputs, outputBytes, storageDays = retentionDays, downloads, sentBytes = 0 } = use;
  const prices = dollarsOf(ofRegion);
  const parts = Math.ceil(outputBytes / partBytes);
  const furtherPuts = parts > outputs ? parts + 1 : 0;
  const gb = outputBytes / 1e9;
  const storage = gb * prices.fileMonth * (storageDays / 30);
  const puts = (outputs + furtherPuts) * prices.filePut;
  const requests = outputs * downloads * costOfCalls(callsOfDownload, prices);
  return puts + storage + requests + (gb * downloads + sentBytes / 1e9) * prices.transferOut;
}

/**
 * The cost of an ended job by part, in billionths of a dollar, from the use in its record. It includes the first attempt of
 * its webhook and the storage of its files until they expire, but no reads, downloads or further attempts of the webhook. A
 * job that was rejected for its cost is not billed.
 */
export function costOfEndedJob(job: TerminalJob, stage: PricedStage): JobCost {
  if (job.state === 'rejected' && job.error.code === 'COST_LIMIT') return {};
  const use = { ...functionsOf(job), ...usedByFiles(ownFiles(job), job.request, stage), sentBytes: sentBytesOf(job) };
  const cost = costOfJob(use, stage);
  return Object.fromEntries(Object.entries(cost).map(([name, usd]) => [name, Math.round(usd * 1e9)]));
}

/** What a job without files has used. */
export function functionsOf({ attempt, functionUse }: Pick<Job, 'attempt' | 'functionUse'>): JobUse {
  const {
    workerMs = 0,
    taskMs = 0,
    tasks = 0,
    executions = 0,
    fargateMs = 0,
    fargateTasks = 0,
    spotMs,
    onDemandMs,
  } = functionUse ?? {};
  const workerSeconds = (workerMs + taskMs) / 1000;
  const taskSeconds = taskMs / 1000;
  const fargate = { fargateTasks, fargateSeconds: fargateMs / 1000 };
  const noFiles = { outputs: 0, outputBytes: 0, reads: 0, downloads: 0 };
  return {
    ...noFiles,
    workerSeconds,
    taskSeconds,
    attempts: attempt,
    tasks,
    executions,
    ...fargate,
    ...(spotMs !== undefined && { spotSeconds: spotMs / 1000 }),
    ...(onDemandMs !== undefined && { onDemandSeconds: onDemandMs / 1000 }),
  };
}

/** What files in the bucket of the stage use. The storage of files at a storage provider is billed to its owner. */
export function usedByFiles(
  files: Record<string, StoredFile>,
  request: JobRequestRecord,
  stage: PricedStage,
): Pick<JobUse, 'outputs' | 'outputBytes' | 'storageDays'> {
  const stored = Object.values(files).filter(({ storage }) => storage === undefined);
  const outputBytes = sum(stored.map(sizeBytesOf));
  const byteDays = sum(stored.map((file) => sizeBytesOf(file) * storageDays(request, folderOf(file), stage)));
  return { outputs: stored.length, outputBytes, ...(outputBytes > 0 && { storageDays: byteDays / outputBytes }) };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}

/** Files that wait for a retry cost the job that made them. */
function ownFiles(job: TerminalJob): Record<string, StoredFile> {
  if (job.state === 'completed') return job.files;
  const { unpublished } = job.state === 'failed' ? job : {};
  return unpublished?.jobId === job.jobId ? unpublished.result.files : {};
}

/** Bytes sent to a provider outside AWS, each once. It may have taken all bytes of files that it did not publish. */
function sentBytesOf(job: TerminalJob): number {
  const { files } = job.state === 'completed' ? job : (job.state === 'failed' && job.unpublished?.result) || {};
  return files === undefined ? 0 : bytesOutsideAws(files, job.destination);
}

/** Bytes of those files whose storage provider is outside AWS. */
export function bytesOutsideAws(files: Record<string, StoredFile>, destination: Destination | undefined): number {
  const sent = Object.values(files).filter((file) => placeOf(destination, folderOf(file))?.isOutsideAws);
  return sum(sent.map(sizeBytesOf));
}
