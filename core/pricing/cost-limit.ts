import { transferSeconds } from '@media-jobs/video/decide';
import { JobError } from '@media-jobs/video/errors';
import { functionUseUntil } from '../jobs/function-use.ts';
import type { FunctionUse, Job, JobIn } from '../jobs/record.ts';
import { folderOf, placeOf, type StoredFile } from '../jobs/stored-file.ts';
import { costLimitOf, hasCostLimit } from '../jobs/usage.ts';
import { bytesOutsideAws, costOfFiles, costOfJob, functionsOf, sumOfParts, usedByFiles } from './cost-of-job.ts';
import { secondsBeforeEncoding } from './expected-use.ts';
import type { PricedStage } from './region-prices.ts';

/** For what an estimate does not know, such as a slow download. */
const unforeseenUsd = 0.01;

/** Dollars at which a job is stopped for which this much was reserved under its caps. */
export function costLimitOfReservation(usd: number): number {
  return 2 * usd + unforeseenUsd;
}

/**
 * Dollars that finished files add to the cost of their job: their storage in the bucket of the stage, or the transfer to a
 * storage provider outside AWS.
 */
export function costOfStoredFiles(
  files: Record<string, StoredFile>,
  stage: PricedStage,
  { request, destination }: Pick<Job, 'request' | 'destination'>,
): number {
  const isSent = (file: StoredFile) => placeOf(destination, folderOf(file)) !== undefined;
  const kept = Object.entries(files).filter(([, file]) => !isSent(file));
  const sentBytes = bytesOutsideAws(files, destination);
  return costOfFiles({ ...usedByFiles(Object.fromEntries(kept), request, stage), downloads: 0, sentBytes }, stage);
}

/** What the functions of a job may cost, so that its limit leaves enough for its files. */
function functionsLimitOf(job: JobIn<'processing'>): number {
  return costLimitOf(job) - (job.filesUsd ?? 0);
}

/**
 * Milliseconds after its claim at which a worker has to stop, so that the job with its files costs no more than its request
 * and its caps allow. Infinity if it reaches its limit only after the longest time of a worker.
 */
export function affordableMs(job: JobIn<'processing'>, stage: PricedStage): number {
  const limitUsd = functionsLimitOf(job);
  // Longer than any worker of the job runs: a function, or a Fargate task.
  const maxMs = job.delegation || job.pool ? 7 * 24 * 3_600_000 : 15 * 60_000;
  const costAfter = (ms: number) => costAfterMs(job, ms, stage);
  if (costAfter(maxMs) <= limitUsd) return Number.POSITIVE_INFINITY;
  let [affordable, tooMuch] = [0, maxMs];
  while (tooMuch - affordable > 1) {
    const middle = Math.floor((affordable + tooMuch) / 2);
    if (costAfter(middle) <= limitUsd) affordable = middle;
    else tooMuch = middle;
  }
  return affordable;
}

function costAfterMs(job: JobIn<'processing'>, ms: number, stage: PricedStage): number {
  const at = new Date(Date.parse(job.claimedAt) + ms);
  // Heartbeats renew the lease until then.
  const renewed = { ...job, updatedAt: at.toISOString() };
  return costOfFunctions(job, functionUseUntil(renewed, at), stage);
}

/** Dollars that a worker has cost until now beyond the time that its estimate expects before the encoding. */
export function costOfDelay(
  job: JobIn<'processing'>,
  stage: PricedStage,
  { expectedMs, now }: { expectedMs: number; now: Date },
): number {
  const ms = now.getTime() - Date.parse(job.claimedAt);
  return ms <= expectedMs ? 0 : costAfterMs(job, ms, stage) - costAfterMs(job, expectedMs, stage);
}

/** Dollars of a job whose worker runs for a minute: what a new job without `maxCostUsd` reserves. */
export function costOfMinute(stage: PricedStage): number {
  return costOfFunctions({ attempt: 1 }, { workerMs: 60_000, taskMs: 0, tasks: 0, executions: 0 }, stage);
}

/** Dollars that the earlier attempts of a job have cost. */
export function costOfEarlierAttempts(job: JobIn<'processing'>, stage: PricedStage): number {
  if (job.attempt === 1) return 0;
  const earlier = functionUseUntil(job, new Date(job.claimedAt));
  return costOfFunctions({ attempt: job.attempt - 1 }, earlier, stage);
}

/**
 * The error of an unfinished job that costs more with its files than its request or its caps allow; undefined if it does
 * not. Its functions are running.
 */
export function findExceededCost(job: JobIn<'processing'>, stage: PricedStage, now: Date): JobError | undefined {
  if (!hasCostLimit(job)) return undefined;
  const usd = costAfterMs(job, now.getTime() - Date.parse(job.claimedAt), stage);
  return usd > functionsLimitOf(job) ? exceededCost(job) : undefined;
}

/** The error of a job that was stopped at its limit. Its `cost` has the other figure. */
export function exceededCost(job: JobIn<'processing'>): JobError {
  const limitUsd = costLimitOf(job);
  const limit =
    limitUsd === job.request.maxCostUsd
      ? `its maxCostUsd of $${limitUsd}`
      : `$${limitUsd.toFixed(6)}, over twice what was reserved for it under its spending caps. It took far longer than estimated, or its files are far larger: use a shorter input, or a cheaper recipe`;
  return new JobError('COST_LIMIT', `The job was stopped because it would cost more with its files than ${limit}.`);
}

function costOfFunctions({ attempt }: Pick<Job, 'attempt'>, functionUse: FunctionUse, stage: PricedStage): number {
  return sumOfParts(costOfJob(functionsOf({ attempt, functionUse }), stage));
}

/** The expected cost in dollars of a retry that only uploads encoded files of this size, without the transfer. */
export function costOfRepeatedUpload(bytes: number, stage: PricedStage): number {
  const workerSeconds = secondsBeforeEncoding(bytes, stage) + transferSeconds(bytes);
  const noTasks = { tasks: 0, executions: 0 };
  const noFiles = { outputs: 0, outputBytes: 0, reads: 0, downloads: 0 };
  return sumOfParts(costOfJob({ workerSeconds, attempts: 1, ...noTasks, ...noFiles }, stage));
}
