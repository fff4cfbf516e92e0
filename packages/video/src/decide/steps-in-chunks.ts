import { joinDiskReason, mayAssembleStream } from '../chunking/assembly/may-assemble.ts';
import {
  type ChunkingPolicy,
  encodingSinglePassReason,
  singlePassBecause,
  singlePassReason,
  workOf,
} from '../chunking/plan/chunk-policy.ts';
import type { ChunkSettings, Speed } from '../chunking/settings.ts';
import { expectedSeconds, type Processors } from '../cost-model/processors.ts';
import type { WorkerMemory } from '../encoding/encoder-memory.ts';
import {
  fitsMemory,
  forecastGraph,
  type GraphFiles,
  type GraphForecast,
  type StepForecast,
  totalCost,
} from '../recipes/graph/forecast-graph.ts';
import type { Step } from '../recipes/graph/steps.ts';

export type StepsPolicy = {
  chunking: ChunkSettings;
  speed: Speed;
  processors: Processors;
  /** Wall seconds until the deadline of the worker that begins with the first of the steps. */
  remainingSeconds: number;
  /** A storage provider gets the outputs of the job. */
  isForProvider?: boolean | undefined;
  /** What frames, or an earlier attempt, tell against chunks of a step, by its number: sentences for the job's owner. */
  singlePass?: ReadonlyMap<number, string> | undefined;
};

/**
 * Why each of the steps that are left takes a single pass, as a sentence for the job's owner, by its number. All others are
 * encoded in chunks. Several steps take a single pass if all of them together end in the time that standard speed allows.
 * Otherwise each has an equal share of that time, so at least one exceeds its share, and those that do not fit a worker
 * together.
 */
export function singlePassReasons(steps: readonly StepForecast[], policy: StepsPolicy): ReadonlyMap<number, string> {
  const { processors, speed, singlePass } = policy;
  const seconds = expectedSeconds(totalCost(steps), processors);
  const allowedSeconds = allowedSecondsOf(policy);
  const isShort = steps.length > 1 && speed !== 'fast' && seconds <= allowedSeconds;
  const whyShort = `its steps take about ${Math.ceil(seconds)} s, and standard speed allows ${Math.floor(allowedSeconds)} s`;
  const reasonOf = (step: StepForecast, number: number) => {
    if (isShort) return singlePassBecause(whyShort);
    const { index, recipe, chunkable } = step;
    if (chunkable === undefined) return singlePassBecause(`the recipe ${recipe} does not encode one video input`);
    const chunking = chunkPolicy(steps, step, policy);
    // Only the last step of the job goes to a storage provider.
    const isForProvider = policy.isForProvider === true && number === steps.length - 1;
    return singlePass?.get(index) ?? workReason(step.cost, chunkable, { chunking, isForProvider });
  };
  return new Map(
    steps.flatMap((step, number) => {
      const reason = reasonOf(step, number);
      return reason === undefined ? [] : [[step.index, reason] as const];
    }),
  );
}

/** The policy by which one of the steps that are left is cut into chunks. */
export function chunkPolicy(
  steps: readonly StepForecast[],
  { cost }: Pick<StepForecast, 'cost'>,
  policy: StepsPolicy,
): ChunkingPolicy {
  const { chunking, processors, speed, remainingSeconds } = policy;
  return {
    settings: { ...chunking, maxSinglePassSeconds: allowedSecondsOf(policy) / Math.max(1, steps.length) },
    work: workOf(cost, processors),
    speed,
    remainingSeconds,
  };
}

/** Whether only the frames of a step's source can tell how long it lasts, and chunks of it are possible. */
export function hasUnknownDuration({ chunkable }: StepForecast): boolean {
  return (
    chunkable !== undefined &&
    chunkable.durationSeconds === undefined &&
    encodingSinglePassReason(chunkable.encoding) === undefined
  );
}

/** What a single pass of all steps may take at standard speed. */
function allowedSecondsOf({ chunking, remainingSeconds }: StepsPolicy): number {
  return Math.min(chunking.maxSinglePassSeconds, remainingSeconds / 2);
}

function workReason(
  cost: StepForecast['cost'],
  { encoding, outputs, durationSeconds = 0 }: NonNullable<StepForecast['chunkable']>,
  { chunking, isForProvider }: { chunking: ChunkingPolicy; isForProvider: boolean },
): string | undefined {
  const reason = singlePassReason(encoding, durationSeconds, chunking);
  if (reason !== undefined || encoding.segmenting === undefined) return reason;
  const hasFinalFragments = mayAssembleStream({ encoding, outputs, isForProvider });
  const diskReason = joinDiskReason(hasFinalFragments ? { hasFinalFragments } : {}, cost);
  return diskReason === undefined ? undefined : singlePassBecause(diskReason);
}

/** What the steps that are left of a job are expected to take, and the workers whose memory holds their encodings. */
export type WorkForecast = GraphForecast & {
  fitsFunction: boolean;
  /** Plans the steps again: it is asked only if a function cannot end them. */
  fitsTask: () => boolean;
};

/**
 * Forecasts the steps that are left. They are planned for the memory of a function, or for that of a task of the stage if
 * a function does not hold their encodings.
 * @throws JobError `INPUT_UNSUPPORTED`, or `INPUT_TOO_LARGE` if no worker has the memory
 */
export function forecastWork(
  steps: readonly Step[],
  files: Omit<GraphFiles, 'memory'>,
  { memory, taskMemory }: { memory: WorkerMemory | undefined; taskMemory?: WorkerMemory | undefined },
): WorkForecast {
  const fitsFunction = taskMemory === undefined || fitsMemory(steps, files, memory);
  return {
    ...forecastGraph(steps, { ...files, memory: fitsFunction ? memory : taskMemory }),
    fitsFunction,
    fitsTask: () => taskMemory !== undefined && fitsMemory(steps, files, taskMemory),
  };
}
