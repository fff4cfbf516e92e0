import { singlePassBecause } from '../chunking/plan/chunk-policy.ts';
import type { ChunkSettings, Speed } from '../chunking/settings.ts';
import type { PlanCost } from '../cost-model/plan-cost.ts';
import { type Lack, lackOfWorker } from '../cost-model/processors.ts';
import { addOutputToError, JobError } from '../errors.ts';
import { functionDiskBytes, intermediatesBytes } from '../media/probe/input-limits.ts';
import { endReaders, type StepForecast, totalCost } from '../recipes/graph/forecast-graph.ts';
import type { Step } from '../recipes/graph/steps.ts';
import { type Capacity, delegationReason, lacksTime, tooLarge, tooLong, tooLongForTask } from './reasons.ts';
import { singlePassReasons, type WorkForecast } from './steps-in-chunks.ts';

/** Who encodes a step: a function in a single pass, functions in chunks, or a Fargate task in a single pass. */
export type Worker = 'function' | 'chunks' | 'task';

export type WorkPass = {
  kind: Worker;
  /** The number of the first step, from 0. */
  from: number;
  /** The number after the last one. A task goes on to the end of the job. */
  to: number;
  /** As a sentence for the job's owner. */
  reason: string;
  /** The number of the step that it is about. */
  step: number;
};

/** The passes that follow one another to the end of the job; or its rejection, if no worker can end it. */
export type Decision = WorkPass[] | { reject: JobError };

/** A worker that takes a single pass, and the seconds that it has for a job after its start, downloads included. */
export type Computer = Capacity & {
  /** What its disk takes of the inputs. */
  maxDownloadBytes: number;
};

/** The workers of a stage, as far as they decide who works. */
export type WorkStage = {
  function: Computer;
  /** Undefined if the stage has no tasks. */
  task?: Computer | undefined;
  chunking: ChunkSettings;
};

export type WorkLimits = {
  speed: Speed;
  /** A storage provider gets the outputs. */
  isForProvider?: boolean | undefined;
  /** Bytes of the inputs of the first step that is left. */
  inputBytes: number;
  /** The only input is read by ranges where it is. A single pass downloads it. */
  isInPlace: boolean;
  /** Bytes of all files that a function downloads before anything else. */
  downloadBytes: number;
  /** Wall seconds that the function has left after these downloads, when it decides for the first time. */
  remainingSeconds: number;
  /** What frames, or an earlier attempt, tell against chunks of a step, by its number: sentences for the job's owner. */
  singlePass?: ReadonlyMap<number, string> | undefined;
  /** The step to which this function has come since, and the seconds that it has left. */
  reached?: { index: number; inputBytes: number; isInPlace: boolean; remainingSeconds: number } | undefined;
};

/** Bytes per second between a worker and S3 or the internet. Assumed. */
const networkBytesPerSecond = 75e6;

/** Wall seconds of a transfer between a worker and S3 or the internet. */
export function transferSeconds(bytes: number): number {
  return bytes / networkBytesPerSecond;
}

/** Whether the source of a job is read by ranges where it is. It is the only input, and large. */
export function staysInPlace(
  { inputs, bytes }: { inputs: number; bytes: number },
  { chunking, function: { maxDownloadBytes } }: WorkStage,
): boolean {
  return inputs === 1 && bytes >= Math.min(chunking.rangesFromBytes, maxDownloadBytes);
}

/** Bytes that a worker downloads for so many steps. Several leave disk to their intermediates. */
export function downloadLimit({ maxDownloadBytes }: Pick<Computer, 'maxDownloadBytes'>, steps: number): number {
  return maxDownloadBytes - (steps > 1 ? intermediatesBytes : 0);
}

const needsMoreMemory = singlePassBecause('its encoder needs more memory than the functions of chunks have');

const needsMoreDisk = singlePassBecause('its inputs are downloaded before it is planned');

/**
 * Decides who does the steps that are left of a job: steps in chunks are passes of their own, those between them single
 * passes together. What only frames can tell comes back in a further call, as `singlePass`.
 */
export function decideWork(forecast: WorkForecast, stage: WorkStage, limits: WorkLimits): Decision {
  const { steps } = forecast;
  const whole = { forecast, stage, steps, limits };
  if (!forecast.fitsFunction) return singlePass(steps, whole, { reason: needsMoreMemory, step: firstOf(steps) });
  if (limits.downloadBytes > downloadLimit(stage.function, steps.length))
    return singlePass(steps, whole, { reason: needsMoreDisk, step: firstOf(steps) });
  return decideAttempt(whole);
}

/** The work of one attempt at a job: from a claim to the end of the job, or to a step in chunks. */
type AttemptWork = {
  forecast: WorkForecast;
  stage: WorkStage;
  /** The steps that were left at its start. */
  steps: readonly StepForecast[];
  limits: WorkLimits;
};

function decideAttempt(attempt: AttemptWork): Decision {
  const { forecast, stage, steps, limits } = attempt;
  const reasons = singlePassReasons(steps, { ...limits, ...stage, processors: stage.function.processors });
  const left = steps.filter(({ index }) => index >= (limits.reached?.index ?? 0));
  const inChunks = left.findIndex(({ index }) => !reasons.has(index));
  const together = inChunks === -1 ? left : left.slice(0, inChunks);
  const passes: WorkPass[] = [];
  if (together.length > 0) {
    const single = singlePass(together, attempt, whySinglePass(together, reasons, limits));
    if ('reject' in single || single[0]?.kind === 'task' || inChunks === -1) return single;
    passes.push(...single);
  }
  const chunked = left[inChunks];
  if (chunked === undefined) return passes;
  const { index, cost } = chunked;
  const reason = `Encoded in chunks in parallel: ${limits.speed === 'fast' ? 'the job requests speed' : 'a single pass would take too long'}`;
  passes.push({ kind: 'chunks', from: index, to: index + 1, reason, step: index });
  const later = left.slice(inChunks + 1);
  // Another function goes on with the output of the join, which is a work file.
  const next = decideAttempt({
    forecast,
    stage,
    steps: later,
    limits: {
      ...limits,
      inputBytes: cost.outputBytes,
      isInPlace: true,
      downloadBytes: 0,
      remainingSeconds: stage.function.maxSeconds,
      reached: undefined,
    },
  });
  return 'reject' in next ? next : [...passes, ...next];
}

type Why = Pick<WorkPass, 'reason' | 'step'>;

/** Why steps take a single pass together: by the frames of the first, or by the step that takes the most processor time. */
function whySinglePass(
  together: readonly StepForecast[],
  reasons: ReadonlyMap<number, string>,
  { singlePass }: WorkLimits,
): Why {
  const first = firstOf(together);
  const known = singlePass?.get(first);
  const most = together.reduce((one, other) => (other.cost.cpuSeconds > one.cost.cpuSeconds ? other : one));
  const step = known !== undefined && reasons.get(first) === known ? first : most.index;
  return { reason: reasons.get(step) ?? '', step };
}

function firstOf([first]: readonly StepForecast[]): number {
  return first?.index ?? 0;
}

/**
 * Chooses the worker of a single pass before its source is downloaded and before it has cost a quarter of an hour: by memory,
 * disk and time. The sizes of encoded outputs are not known exactly enough to count for the disk.
 */
function singlePass(
  together: readonly StepForecast[],
  { forecast, stage, steps, limits }: AttemptWork,
  { reason, step }: Why,
): Decision {
  const [first, last] = [together[0], together.at(-1)];
  if (first === undefined || last === undefined) throw new TypeError('A pass has at least one step');
  const { inputBytes, isInPlace, remainingSeconds } = limits.reached ?? limits;
  const cost = totalCost(together);
  // A single pass downloads what has been read in place until now.
  const maxSeconds = remainingSeconds - (isInPlace ? transferSeconds(inputBytes) : 0);
  const disk = {
    inputBytes,
    copiedBytes: cost.copiedBytes,
    maxBytes: downloadLimit(stage.function, isInPlace ? together.length : steps.length),
  };
  const isTooLarge = (isInPlace ? inputBytes : limits.downloadBytes) > disk.maxBytes;
  const hasDisk = !isTooLarge && inputBytes + Math.round(cost.copiedBytes) <= functionDiskBytes;
  const here = { processors: stage.function.processors, maxSeconds };
  const lack = lackOfWorker(cost, { ...here, hasMemory: forecast.fitsFunction, hasDisk });
  if (lack === undefined) return [{ kind: 'function', from: first.index, to: last.index + 1, reason, step }];
  const onTask = takeTask(
    steps.filter(({ index }) => index >= first.index),
    { forecast, stage, limits },
  );
  const [task] = onTask === undefined || 'reject' in onTask ? [] : onTask;
  if (task !== undefined)
    return [{ ...task, step, reason: delegationReason(whyTask(lack, { cost, here, isTooLarge }), `${reason}. `) }];
  // The most capable worker tells what is missing.
  if (onTask !== undefined && 'reject' in onTask) return onTask;
  return { reject: hasDisk ? tooLong(here, cost, reason) : tooLarge({ ...disk, isTooLarge }, reason) };
}

/** Decides whether a task that has a job ends the steps that are left, by the seconds that it has. */
export function decideTask({ steps }: Pick<WorkForecast, 'steps'>, task: Capacity): Decision {
  const [first, last] = [steps[0], steps.at(-1)];
  if (first === undefined || last === undefined) return [];
  const cost = totalCost(steps);
  return lackOfWorker(cost, { ...task, hasMemory: true, hasDisk: true }) === undefined
    ? [{ kind: 'task', from: first.index, to: last.index + 1, reason: '', step: first.index }]
    : { reject: tooLongForTask(task, cost) };
}

/** A task takes all steps that are left. Undefined if the stage has no task, or one without the memory. */
function takeTask(
  steps: readonly StepForecast[],
  { forecast, stage: { task }, limits }: Omit<AttemptWork, 'steps'>,
): Decision | undefined {
  if (task === undefined || !forecast.fitsTask()) return undefined;
  const { inputBytes, isInPlace } = limits.reached ?? limits;
  const bytes = isInPlace ? inputBytes : limits.downloadBytes;
  const maxBytes = downloadLimit(task, steps.length);
  if (bytes > maxBytes) {
    const reason = singlePassBecause('no function can end it');
    return { reject: tooLarge({ inputBytes, copiedBytes: 0, maxBytes, isTooLarge: true }, reason) };
  }
  return decideTask({ steps }, { ...task, maxSeconds: task.maxSeconds - transferSeconds(bytes) });
}

function whyTask(
  lack: Lack,
  { cost, here, isTooLarge }: { cost: PlanCost; here: Capacity; isTooLarge: boolean },
): string {
  if (lack === 'time') return lacksTime(cost, here);
  if (lack === 'memory') return 'its encoder needs more memory than a function has';
  return `${isTooLarge ? 'its input does' : 'its input and its copy do'} not fit on a function's disk`;
}

/**
 * Decides on all steps of a job. Optional outputs that no worker can end fail, the dearest first, until workers can end the
 * others. Returns the forecast without them.
 */
export function decideOnOutputs<Forecast extends WorkForecast>(
  steps: readonly Step[],
  forecast: Forecast,
  decide: (forecast: Forecast) => Decision,
): { forecast: Forecast; decision: Decision } {
  const decision = decide(forecast);
  if (!('reject' in decision)) return { forecast, decision };
  const dearest = forecast.steps.toSorted((one, other) => other.cost.cpuSeconds - one.cost.cpuSeconds);
  const given = dearest.find(({ index }) => isOptional(steps, index));
  const error = addOutputToError(decision.reject, steps[given?.index ?? 0]?.name ?? '');
  if (given === undefined || !(error instanceof JobError)) return { forecast, decision };
  const ended = endReaders(steps, new Map(forecast.ended).set(given.index, { is: 'failed', error }));
  const left = forecast.steps.filter(({ index }) => !ended.has(index));
  return decideOnOutputs(steps, { ...forecast, steps: left, ended }, decide);
}

function isOptional(steps: readonly Step[], index: number): boolean {
  const readers = [...steps.keys()].filter((reader) => steps[reader]?.from === index);
  return steps[index]?.output?.isOptional === true && readers.every((reader) => isOptional(steps, reader));
}
