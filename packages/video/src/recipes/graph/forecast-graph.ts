import type { CostTable } from '../../cost-model/cost-table.ts';
import { type PlanCost, planCost } from '../../cost-model/plan-cost.ts';
import type { WorkerMemory } from '../../encoding/encoder-memory.ts';
import type { Encoding } from '../../encoding/encoding.ts';
import type { MediaFile, PendingPlan, Plan, PlannedOutput } from '../../encoding/plan.ts';
import { addOutputToError, JobError, rejectInput } from '../../errors.ts';
import { endSecondsOf, mainVideo } from '../../media/probe/streams.ts';
import { holds } from './conditions.ts';
import { expectedFile } from './expected-file.ts';
import { addStepToError, planStep, type Step, type StepContext } from './steps.ts';

/** An output that the job does not make: its condition does not hold, or it has failed and is optional. */
export type StepEnd = { is: 'skipped' } | { is: 'failed'; error: JobError };

export type StepEnds = ReadonlyMap<number, StepEnd>;

export type GraphFiles = Pick<StepContext, 'inputs' | 'canCompare' | 'memory'> & {
  /** The number of the first step that is left, from 0. */
  from?: number | undefined;
  /** Outputs of the steps before it, by their numbers, as far as others read them. */
  made?: ReadonlyMap<number, MediaFile> | undefined;
  /** How steps before it have ended that made no output. */
  ended?: StepEnds | undefined;
  /** The assets of each step, or why they could not be fetched. */
  assets: readonly (StepContext['assets'] | JobError)[];
  table?: CostTable | undefined;
};

export type StepForecast = {
  /** Its number, from 0. */
  index: number;
  isIntermediate: boolean;
  recipe: string;
  files: number;
  cost: PlanCost;
  /** The encoding of a video, which may be split into chunks; left out if there is none. */
  chunkable?: ChunkableVideo | undefined;
};

export type ChunkableVideo = {
  encoding: Encoding;
  /** Of its sources together; undefined if one does not state when its video ends. */
  durationSeconds: number | undefined;
  outputs: readonly PlannedOutput[];
};

/** Placeholders: nothing is read or written yet. */
const unusedDirectories = { fontsDirectory: '.', outputDirectory: '.' };

/** What is expected of the steps that are left, and which of them make no output. */
export type GraphForecast = { steps: readonly StepForecast[]; ended: StepEnds };

/**
 * Plans every step that is left, each on the expected output of the one that it reads: what cannot follow is rejected
 * before any encode. An output whose condition does not hold is skipped, and with it what reads it.
 * @throws JobError `INPUT_UNSUPPORTED` or `INPUT_TOO_LARGE` of the step; of an optional output it is the end of that
 */
export function forecastGraph(steps: readonly Step[], files: GraphFiles): GraphForecast {
  const made = new Map(files.made);
  const ended = new Map(files.ended);
  const forecasts: StepForecast[] = [];
  for (const [index, step] of steps.entries()) {
    if (index < (files.from ?? 0) || step.isAbsorbed) continue;
    const end = endBefore(steps, index, { ...files, made, ended });
    if (end !== undefined) {
      ended.set(index, end);
      continue;
    }
    try {
      const { forecast, output } = forecastStep(steps, index, { ...files, made });
      forecasts.push(forecast);
      if (output !== undefined) made.set(index, output);
    } catch (cause) {
      ended.set(index, { is: 'failed', error: endOrThrow(addStepToError(cause, steps, index), step) });
    }
  }
  const graph = withoutUnread(steps, { steps: forecasts, ended });
  const count = graph.steps.reduce((sum, { isIntermediate, files: own }) => sum + (isIntermediate ? 0 : own), 0);
  if (count > maxFiles) rejectInput(`The outputs of this job have ${count} files; at most ${maxFiles} are possible`);
  return graph;
}

/** Files of a job, all of which its record has. A DynamoDB item is limited to 400 KB. */
const maxFiles = 400;

/** The error that ends an optional output. That of any other step is thrown. */
function endOrThrow(error: unknown, { output }: Step): JobError {
  if (output?.isOptional && error instanceof JobError) return error;
  throw error;
}

/**
 * How an output ends before it is planned; undefined if it does not.
 * @throws JobError that of the output which it reads, if it is not optional itself
 */
function endBefore(
  steps: readonly Step[],
  index: number,
  { inputs, made, ended }: { inputs: readonly MediaFile[]; made: ReadonlyMap<number, MediaFile>; ended: StepEnds },
): StepEnd | undefined {
  const step = steps[index];
  if (step?.output === undefined) return undefined;
  const { from, output, name = '' } = step;
  const before = from === undefined ? undefined : ended.get(from);
  if (before?.is === 'skipped') return before;
  if (before !== undefined) return { is: 'failed', error: endOrThrow(addOutputToError(before.error, name), step) };
  const [read] = readBy(step, { inputs, made });
  return output.when === undefined || read === undefined || holds(output.when, read.probe)
    ? undefined
    : { is: 'skipped' };
}

/**
 * Adds how the outputs end that read one which is not made.
 * @throws JobError that of the output which they read, if one of them is not optional
 */
export function endReaders(steps: readonly Step[], before: StepEnds): StepEnds {
  const ended = new Map(before);
  for (const index of steps.keys()) {
    const end = ended.has(index) ? undefined : endBefore(steps, index, { inputs: [], made: new Map(), ended });
    if (end !== undefined) ended.set(index, end);
  }
  return ended;
}

export function readBy(
  { from }: Pick<Step, 'from'>,
  { inputs, made }: { inputs: readonly MediaFile[]; made?: ReadonlyMap<number, MediaFile> | undefined },
): readonly MediaFile[] {
  if (from === undefined) return inputs;
  const file = made?.get(from);
  return file === undefined ? [] : [file];
}

/** Plans a step. Returns also its expected output, if another one reads it. */
function forecastStep(
  steps: readonly Step[],
  index: number,
  { inputs: ofJob, made, assets, canCompare, memory, table }: GraphFiles,
): { forecast: StepForecast; output: MediaFile | undefined } {
  const step = steps[index];
  if (step === undefined) throw new TypeError(`There is no step ${index}`);
  const inputs = readBy(step, { inputs: ofJob, made });
  const ofStep = assets[index] ?? {};
  if (ofStep instanceof JobError) throw ofStep;
  const plan = planStep(step, { inputs, assets: ofStep, canCompare, memory, ...unusedDirectories });
  const cost = planCost(plan, [...inputs, ...Object.values(ofStep)], table);
  const { isIntermediate } = step;
  const files = plan.outputs.length;
  const chunkable = chunkableVideo(plan, inputs);
  const forecast = { index, isIntermediate, recipe: step.recipe.name, files, cost, chunkable };
  const isRead = steps.some(({ from }) => from === index);
  if (step.output === undefined && !isRead) rejectNameConflicts(steps, plan.outputs);
  return { forecast, output: isRead ? expectedFile(plan.outputs, step, inputs, cost) : undefined };
}

/** Skips outputs that are made for others alone, none of which is made. */
function withoutUnread(steps: readonly Step[], { steps: forecasts, ended }: GraphForecast): GraphForecast {
  const wanted = new Set<number>();
  for (const { index } of forecasts.toReversed()) {
    const { isIntermediate, output } = steps[index] ?? {};
    const isRead = steps.some(({ from }, reader) => from === index && wanted.has(reader));
    if (output === undefined || isIntermediate === false || isRead) wanted.add(index);
  }
  const unread = forecasts.filter(({ index }) => !wanted.has(index));
  return {
    steps: forecasts.filter(({ index }) => wanted.has(index)),
    ended: new Map([...ended, ...unread.map(({ index }) => [index, { is: 'skipped' }] as const)]),
  };
}

/** The cost of steps together. The files of intermediates are no output of the job. */
export function totalCost(forecasts: readonly StepForecast[]): PlanCost {
  const sumOf = (costs: readonly PlanCost[], field: Exclude<keyof PlanCost, 'encoders'>) =>
    costs.reduce((sum, cost) => sum + cost[field], 0);
  const all = forecasts.map(({ cost }) => cost);
  const delivered = forecasts.filter(({ isIntermediate }) => !isIntermediate).map(({ cost }) => cost);
  return {
    cpuSeconds: sumOf(all, 'cpuSeconds'),
    serialSeconds: sumOf(all, 'serialSeconds'),
    finalCpuSeconds: sumOf(all, 'finalCpuSeconds'),
    codecCpuSeconds: sumOf(all, 'codecCpuSeconds'),
    outputBytes: sumOf(delivered, 'outputBytes'),
    copiedBytes: sumOf(delivered, 'copiedBytes'),
    encoders: new Set(all.flatMap(({ encoders }) => [...encoders])),
  };
}

function chunkableVideo(
  { encoding, clips, outputs }: Plan | PendingPlan,
  inputs: readonly MediaFile[],
): ChunkableVideo | undefined {
  if (encoding === undefined) return undefined;
  const files = clips?.map(({ file }) => file) ?? inputs.slice(0, 1);
  const durationSeconds = files.reduce(
    (sum, { probe }) => sum + (endSecondsOf(probe, [mainVideo(probe)]) ?? Number.NaN),
    0,
  );
  return { encoding, durationSeconds: Number.isNaN(durationSeconds) ? undefined : durationSeconds, outputs };
}

/** A step can name a single output. Several outputs have names of their own, which no other step may use. */
function rejectNameConflicts(steps: readonly Step[], outputs: readonly PlannedOutput[]): void {
  const last = steps.at(-1);
  const isSingle = outputs.length === 1 && outputs[0]?.name === 'output';
  if (isSingle || last === undefined) return;
  if (last.name !== undefined) {
    rejectInput(`${last.recipe.name} names its files itself: leave out the name of the step`);
  }
  const conflict = outputs.find(({ name }) => steps.some((step) => step.name === name));
  if (conflict) {
    rejectInput(`${last.recipe.name} makes a file called ${conflict.name}, which is the name of another step`);
  }
}

/** Whether the encodings of a job fit into the memory of a worker; without `memory` there is no limit. */
export function fitsMemory(
  steps: readonly Step[],
  files: Omit<GraphFiles, 'memory'>,
  memory: WorkerMemory | undefined,
): boolean {
  if (memory === undefined) return true;
  try {
    const { ended } = forecastGraph(steps, { ...files, memory });
    return ![...ended.values()].some((end) => end.is === 'failed' && end.error.code === 'INPUT_TOO_LARGE');
  } catch (cause) {
    // Of what planning rejects, only memory has this code.
    if (cause instanceof JobError && cause.code === 'INPUT_TOO_LARGE') return false;
    throw cause;
  }
}
