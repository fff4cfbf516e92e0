import { type CostTable, cpusOf, functionMemory, spread } from '@media-jobs/video/cost-model';
import {
  decideOnOutputs,
  decideWork,
  forecastWork,
  staysInPlace,
  transferSeconds,
  type Worker,
  type WorkForecast,
  type WorkLimits,
  type WorkStage,
} from '@media-jobs/video/decide';
import type { MediaFile, Speed } from '@media-jobs/video/encoding';
import { maxDownloadBytes } from '@media-jobs/video/probe';
import type { Step } from '@media-jobs/video/recipes';
import { workersOf } from '../jobs/job-result.ts';
import { type CostBreakdown, costOfJob, type JobUse, sumOfParts } from './cost-of-job.ts';
import { type ExpectedWork, expectedUse, type PricedWorkStage, secondsBeforeEncoding } from './expected-use.ts';
import { fargateComputer, type PricedWorkers, poolProcessors } from './fargate-computer.ts';
import { functionSeconds } from './per-job.ts';

/** Half of such jobs stay below `p50`, nine of ten below `p90`. */
export type Range = { p50: number; p90: number };

export type JobEstimate = {
  /** From the start of the work to its end. */
  seconds: Range;
  usd: Range;
  /** Of `usd.p50`. */
  breakdown: CostBreakdown;
  /** Chunks that are encoded in parallel, of all steps together; 1 for a single pass. */
  chunks: number;
  workers: (Worker | null)[];
  /** The share of each step that is left, by its number: seconds of encoding, and dollars of the whole. */
  shares: ReadonlyMap<number, { seconds: number; usd: number }>;
};

export type EstimatedJob = {
  steps: readonly Step[];
  /** The number of the first step that is left, from 0. It reads the inputs. */
  from?: number | undefined;
  inputs: readonly MediaFile[];
  /** The files that the parameters of each step name. */
  assets: readonly Record<string, MediaFile>[];
  speed: Speed;
  /** A storage provider gets the outputs. */
  isForProvider?: boolean | undefined;
  storage?: ExpectedWork['storage'];
  /** The costs as the workers of the stage measured them; by default as calibrated. */
  table?: CostTable | undefined;
};

/**
 * Decides who does a job, and estimates the time and the price of that.
 * @throws JobError if the recipe does not fit the input, or no worker can end the job
 */
export function estimateJob(job: EstimatedJob, workers: PricedWorkers): JobEstimate {
  const { steps, from, inputs, assets, table, storage } = job;
  const stage = workStage(workers);
  const memory = functionMemory(workers.memoryMb);
  const files = { from, inputs, assets, canCompare: true, table };
  const planned = forecastWork(steps, files, { memory, taskMemory: fargateComputer(workers)?.memory });
  const limits = expectedLimits(job, stage);
  const decide = (left: WorkForecast) => decideWork(left, stage, limits);
  const { forecast, decision: passes } = decideOnOutputs(steps, planned, decide);
  if ('reject' in passes) throw passes.reject;
  const estimate = estimateWork({ steps: forecast.steps, passes, limits, storage }, workers);
  if (limits.speed !== 'economy') return estimate;
  return { ...estimate, workers: estimate.workers.map((worker) => worker && 'task') };
}

/** The time and the price of work that was decided. That of an economy job is of Spot capacity, or on demand. */
export function estimateWork(work: ExpectedWork, workers: PricedWorkers, isOnDemand = false): JobEstimate {
  const stage = workStage(workers, isOnDemand);
  const usual = expectedUse(work, stage);
  const slow = expectedUse(work, stage, spread);
  const breakdown = costOfUse(usual, workers);
  return {
    seconds: { p50: usual.seconds, p90: slow.seconds },
    usd: { p50: sumOfParts(breakdown), p90: sumOfParts(costOfUse(slow, workers)) },
    breakdown,
    chunks: usual.chunks,
    workers: workersOf(work.passes),
    shares: sharesOf(work, sumOfParts(breakdown), workers),
  };
}

/**
 * The p90 of the dearest worker that may take an economy job: the pool on demand if it falls back to that, and standard workers
 * if the job has a `finishBy`.
 */
export function dearestUsd(
  work: ExpectedWork,
  { forecast, hasFinishBy }: { forecast: WorkForecast; hasFinishBy: boolean },
  workers: PricedWorkers,
): number {
  const onDemand = workers.fargate?.pool?.fallback === 'on-demand' ? [estimateWork(work, workers, true)] : [];
  const limits = { ...work.limits, speed: 'standard' as const };
  const stage = workStage(workers);
  const remainingSeconds = stage.function.maxSeconds - transferSeconds(limits.downloadBytes);
  const passes = hasFinishBy ? decideWork(forecast, stage, { ...limits, remainingSeconds }) : [];
  const standard =
    'reject' in passes || passes.length === 0 ? [] : [estimateWork({ ...work, passes, limits }, workers)];
  return Math.max(0, ...[...onDemand, ...standard].map(({ usd }) => usd.p90));
}

/** The cost of an expected use, which has no reads and downloads, as that of an ended job. */
function costOfUse(use: Omit<JobUse, 'reads' | 'downloads'>, workers: PricedWorkers): CostBreakdown {
  return costOfJob({ ...use, reads: 0, downloads: 0 }, workers);
}

/** Divides the dollars of a job among its steps, by what each costs beyond the download and what any job costs. */
function sharesOf(work: ExpectedWork, usd: number, workers: PricedWorkers): JobEstimate['shares'] {
  const stage = workStage(workers);
  const beforeSeconds = secondsBeforeEncoding(work.limits.inputBytes, workers);
  const noFiles = { outputs: 0, outputBytes: 0 };
  const nothing = { workerSeconds: beforeSeconds, attempts: 1, tasks: 0, executions: 0, ...noFiles };
  const nothingUsd = sumOfParts(costOfUse(nothing, workers));
  const alone = work.steps.map((step) => {
    const passes = work.passes.filter(({ from, to }) => from <= step.index && step.index < to);
    const use = expectedUse({ ...work, steps: [step], passes }, stage);
    const seconds = use.workerSeconds + (use.fargateSeconds ?? 0) + (use.spotSeconds ?? 0) - beforeSeconds;
    return { index: step.index, seconds, usd: Math.max(0, sumOfParts(costOfUse(use, workers)) - nothingUsd) };
  });
  const allUsd = alone.reduce((sum, step) => sum + step.usd, 0);
  return new Map(alone.map(({ index, seconds, ...step }) => [index, { seconds, usd: usd * (step.usd / allUsd || 0) }]));
}

export function workStage(workers: PricedWorkers, isOnDemand = false): PricedWorkStage {
  const { memoryMb, slowness, chunking, claimedSeconds } = workers;
  return {
    claimedSeconds,
    function: {
      processors: { count: cpusOf(memoryMb), slowness },
      maxSeconds: functionSeconds(workers),
      maxDownloadBytes,
    },
    task: fargateComputer(workers),
    chunking,
    ...(workers.fargate?.pool && { pool: { processors: poolProcessors(workers), isOnDemand } }),
  };
}

/** The limits of a job whose download takes the usual time. */
function expectedLimits({ inputs, assets, speed, isForProvider }: EstimatedJob, stage: WorkStage): WorkLimits {
  const bytesOf = (files: readonly MediaFile[]) => files.reduce((sum, { probe }) => sum + probe.sizeBytes, 0);
  const inputBytes = bytesOf(inputs);
  const isInPlace = staysInPlace({ inputs: inputs.length, bytes: inputBytes }, stage);
  const downloadBytes = bytesOf(assets.flatMap((files) => Object.values(files))) + (isInPlace ? 0 : inputBytes);
  const remainingSeconds = stage.function.maxSeconds - transferSeconds(downloadBytes);
  return { speed, isForProvider, inputBytes, isInPlace, downloadBytes, remainingSeconds };
}
