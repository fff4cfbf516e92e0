import { singlePassBecause } from '@media-jobs/video/chunking';
import {
  type CostTable,
  costTable,
  expectedSeconds,
  learnSlowness,
  type PlanCost,
  type Processors,
  type SlownessStore,
  slownessFor,
} from '@media-jobs/video/cost-model';
import {
  type Decision,
  decideTask,
  decideWork,
  forecastWork,
  hasUnknownDuration,
  type WorkLimits,
  type WorkPass,
  type WorkStage,
} from '@media-jobs/video/decide';
import type { Encoder } from '@media-jobs/video/ffmpeg';
import { type Step, stepLabel } from '@media-jobs/video/recipes';
import { addChunking, type Chunking, numberEnds } from '../../core/jobs/job-result.ts';
import type { Clock, JobRef } from '../../core/jobs/ports.ts';
import { functionSeconds } from '../../core/pricing/per-job.ts';
import type { FunctionPorts, JobPorts, WorkerPorts } from '../../core/worker/ports.ts';
import { remainingSeconds, type WorkerContext } from '../../core/worker/worker-context.ts';
import { bytesReadBy, type GraphState, type JobForecast, type RemainingSteps, stepsLeft } from './graph-state.ts';

/**
 * Forecasts the steps that are left of a job, by what the workers of the stage have measured.
 * @throws JobError `INPUT_UNSUPPORTED`, or `INPUT_TOO_LARGE` if no worker has the memory
 */
export async function forecastJob(
  deps: JobPorts,
  { job, deadline }: WorkerContext,
  { steps, completed, fetched }: RemainingSteps,
): Promise<JobForecast> {
  const table = await measuredCosts(deps, job);
  const from = completed?.count ?? 0;
  const taskMemory = deps.kind === 'function' ? deps.fargate?.memory : undefined;
  const { memory } = deps;
  const ended = numberEnds(steps, completed?.result.ended);
  const work = forecastWork(steps, { ...fetched, from, ended, table }, { memory, taskMemory });
  const isInPlace = fetched.remoteSource !== undefined;
  const allBytes = fetched.downloaded.reduce((sum, { bytes }) => sum + bytes, 0);
  const { speed = 'standard' } = job.request;
  const limits: WorkLimits = {
    // An economy job that became a standard one is encoded like others.
    speed: speed === 'economy' && deps.kind === 'function' ? 'standard' : speed,
    isForProvider: job.destination !== undefined,
    inputBytes: fetched.inputSizeBytes,
    isInPlace,
    downloadBytes: isInPlace ? allBytes - fetched.inputSizeBytes : allBytes,
    remainingSeconds: remainingSeconds(deps.clock, deadline),
    singlePass: new Map(job.singlePassReason === undefined ? [] : [[from, singlePassBecause(job.singlePassReason)]]),
  };
  return { work, table, limits };
}

type SlownessDeps = { slowness: SlownessStore; onUnexpected: WorkerPorts['onUnexpected'] };

/** The cost table as the workers of this stage measured it for an owner; as calibrated, if the measurements cannot be read. */
export async function measuredCosts({ slowness, onUnexpected }: SlownessDeps, ref: JobRef): Promise<CostTable> {
  try {
    return { ...costTable, slowness: slownessFor(await slowness.read(), ref.ownerId) };
  } catch (cause) {
    onUnexpected(ref, cause);
    return costTable;
  }
}

/** Wraps an encoder so that the wall seconds of its runs are added up. */
export function timeRuns(encoder: Encoder, clock: Clock): { encoder: Encoder; seconds: () => number } {
  let milliseconds = 0;
  return {
    seconds: () => milliseconds / 1000,
    encoder: {
      ...encoder,
      async run(command, options) {
        const startedAt = clock.now().getTime();
        const record = await encoder.run(command, options);
        milliseconds += clock.now().getTime() - startedAt;
        return record;
      },
    },
  };
}

/** Stores the slowness that a job measured. A failure is reported, not thrown: it costs no job its result. */
export async function learnFromJob(
  { slowness, processors, onUnexpected }: SlownessDeps & { processors: Processors },
  ref: JobRef,
  { cost, table, seconds }: { cost: PlanCost; table: CostTable; seconds: number },
): Promise<void> {
  const job = { known: table.slowness ?? {}, cost, seconds, expectedSeconds: expectedSeconds(cost, processors) };
  try {
    const learned = learnSlowness(await slowness.read(), ref.ownerId, job);
    if (learned !== undefined) await slowness.write(learned.name, learned.slowness);
  } catch (cause) {
    onUnexpected(ref, cause);
  }
}

/** Decides who goes on with a job, by the time that this worker has left. A task does all of it. */
export function decide(
  deps: JobPorts,
  { deadline }: WorkerContext,
  { forecast: { work, limits }, state }: { forecast: JobForecast; state: GraphState },
): Decision {
  const { processors } = deps;
  const steps = stepsLeft(work.steps, state);
  if (steps.length === 0) return [];
  const maxSeconds = remainingSeconds(deps.clock, deadline);
  const { index, fetched, ended } = state;
  const isInPlace = fetched.remoteSource !== undefined;
  const reached = { index, inputBytes: bytesReadBy(state), isInPlace, remainingSeconds: maxSeconds };
  // The steps that have run count too: each step has an equal part of the time.
  const wanted = { ...work, steps: work.steps.filter((step) => !ended.has(step.index)) };
  if (deps.kind === 'function') return decideWork(wanted, stageOf(deps), { ...limits, reached });
  const inChunks = deps.isPool ? decideInPool(deps, wanted, { ...limits, reached }) : undefined;
  return inChunks ?? decideTask({ steps }, { processors, maxSeconds });
}

/** Decides for a task of the pool: chunks, which are kept, for a job of which a step takes long; undefined for a single pass. */
function decideInPool(
  { processors, maxDownloadBytes, chunking }: JobPorts,
  work: JobForecast['work'],
  limits: WorkLimits & { reached: { remainingSeconds: number } },
): Decision | undefined {
  const maxSeconds = limits.reached.remainingSeconds;
  const stage = { function: { processors, maxSeconds, maxDownloadBytes }, chunking };
  const decided = decideWork(work, stage, { ...limits, remainingSeconds: maxSeconds });
  const hasChunks = !('reject' in decided) && decided.some(({ kind }) => kind === 'chunks');
  return hasChunks ? decided : undefined;
}

/** Adds the reason, which only the frames of its source could tell, why a step is not encoded in chunks. */
export function addFact(forecast: JobForecast, step: number, reason: string): JobForecast {
  const singlePass = new Map([...(forecast.limits.singlePass ?? []), [step, reason]]);
  return { ...forecast, limits: { ...forecast.limits, singlePass } };
}

/** Whether a pass may be one in chunks after all: only the frames of its source tell how long that lasts. */
export function isDecidedByFrames(
  { work: { steps }, limits: { singlePass } }: JobForecast,
  { from }: WorkPass,
): boolean {
  const [step, ...others] = steps;
  return step !== undefined && others.length === 0 && hasUnknownDuration(step) && !singlePass?.has(from);
}

/** The workers of the stage, as this function sees them. */
function stageOf({ processors, maxDownloadBytes, money, fargate, chunking }: FunctionPorts): WorkStage {
  const maxSeconds = functionSeconds(money.workers);
  return { function: { processors, maxSeconds, maxDownloadBytes }, task: fargate, chunking };
}

/** Reports the decision on chunks for one step. That of a pipeline names its step, and follows those of earlier passes. */
export function reportChunking(
  { job, report }: WorkerContext,
  { steps, index }: { steps: readonly Step[]; index: number },
  { chunks, reason }: Chunking,
): void {
  const { name, output } = steps[index] ?? {};
  const label = output === undefined ? stepLabel(steps, index) : name;
  const labelled = steps.length === 1 && output === undefined ? reason : `${label}: ${reason}`;
  const chunking = addChunking(job.completedSteps?.chunking, { chunks, reason: labelled });
  report({ stage: 'probing', fraction: 1, chunking });
}
