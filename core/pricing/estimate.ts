import type { CostTable } from '@media-jobs/video/cost-model';
import { cpusOf, functionMemory, spread } from '@media-jobs/video/cost-model';
import type { MediaFile, Speed, WorkerMemory } from '@media-jobs/video/encoding';
import type { Step } from '@media-jobs/video/recipes';
import { fitsMemory, validatePipeline } from '@media-jobs/video/recipes';
import { type CostBreakdown, costOfJob, sumOfParts } from './cost-of-job.ts';
import { type ExpectedUse, type ExpectedWork, expectedUse, type WorkerStage } from './expected-use.ts';
import { fargateComputer } from './fargate-computer.ts';
import { usualReads } from './per-job.ts';
import type { PricedWorkers } from './priced-workers.ts';

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
};

/** What an estimate reads: the steps of a job and its files. */
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
  /** That provider is outside AWS. */
  isOutsideAws?: boolean | undefined;
  /** The costs as the workers of the stage measured them; by default as calibrated. */
  table?: CostTable | undefined;
};

/** Seconds that a worker takes besides its work: its start and end. */
const reservedSeconds = 30;

/**
 * Estimates the time and the price of a job.
 * @throws JobError if the recipe does not fit the input
 */
export function estimateJob(job: EstimatedJob, workers: PricedWorkers): JobEstimate {
  const work = expectedWork(job);
  const stage = workerStage(workers);
  const usual = expectedUse(work, stage);
  const slow = expectedUse(work, stage, spread);
  const costOf = (use: ExpectedUse) => costOfJob({ ...use, reads: usualReads, downloads: 0 }, workers);
  const breakdown = costOf(usual);
  return {
    seconds: { p50: usual.seconds, p90: Math.max(usual.seconds, slow.seconds) },
    usd: { p50: sumOfParts(breakdown), p90: Math.max(sumOfParts(breakdown), sumOfParts(costOf(slow))) },
    breakdown,
    chunks: usual.chunks,
  };
}

/** The workers of a stage, as an estimate counts their time. */
export function workerStage(workers: PricedWorkers): WorkerStage {
  return {
    processors: { count: cpusOf(workers.memoryMb), slowness: workers.slowness },
    memory: functionMemory(workers.memoryMb),
    chunking: workers.chunking,
    timeoutSeconds: workers.timeoutSeconds - reservedSeconds,
    fargate: fargateComputer(workers),
  };
}

function expectedWork({ speed, table, isForProvider, isOutsideAws, ...job }: EstimatedJob): ExpectedWork {
  const { steps, from, inputs, assets } = job;
  const files = { from, inputs, assets, canCompare: true, table };
  const forecasts = validatePipeline(steps, files);
  const inputBytes = inputs.reduce((sum, { probe }) => sum + probe.sizeBytes, 0);
  const fitsInto = (memory: WorkerMemory) => fitsMemory(steps, files, memory);
  return { steps: forecasts, inputBytes, speed, isForProvider, isOutsideAws, fitsInto };
}
