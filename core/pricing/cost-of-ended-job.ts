import type { JobCost } from '../jobs/job-cost.ts';
import type { Job, TerminalJob } from '../jobs/record.ts';
import type { JobRequestRecord } from '../jobs/request-record.ts';
import { type Destination, folderOf, placeOf, type StoredFile, sizeBytesOf } from '../jobs/stored-file.ts';
import { costOfJob, type JobUse } from './cost-of-job.ts';
import { type PricedStage, storageDays } from './region-prices.ts';

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
