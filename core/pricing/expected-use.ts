import type { ChunkSettings } from '@media-jobs/video/chunking';
import {
  type ChunkingPolicy,
  chunkCount,
  joinDiskReason,
  mayAssembleStream,
  singlePassReason,
  stepsInChunks,
  targetOf,
  workOf,
} from '@media-jobs/video/chunking';
import type { PlanCost } from '@media-jobs/video/cost-model';
import { expectedSeconds, lackOfWorker, type Processors, wallSeconds } from '@media-jobs/video/cost-model';
import type { Speed, WorkerMemory } from '@media-jobs/video/encoding';
import { encodingsByCodec, isStream } from '@media-jobs/video/encoding';
import { functionDiskBytes, maxDownloadBytes } from '@media-jobs/video/probe';
import { type StepForecast, totalCost } from '@media-jobs/video/recipes';
import type { JobUse } from './cost-of-job.ts';
import type { FargateComputer } from './fargate-computer.ts';
import { overheadSeconds } from './per-job.ts';

/** Bytes per second between a function and S3 or the internet. Assumed. */
const networkBytesPerSecond = 75e6;

/** Seconds of a transfer between a function and S3 or the internet. */
export function transferSeconds(bytes: number): number {
  return bytes / networkBytesPerSecond;
}

/** Seconds of a worker before it encodes: its start and the download. */
export function secondsBeforeEncoding(inputBytes: number): number {
  return overheadSeconds + transferSeconds(inputBytes);
}

/** What decides how a job is processed. */
export type ExpectedWork = {
  /** The steps that are left. */
  steps: readonly StepForecast[];
  /** Whether the outputs go to a storage provider. */
  isForProvider?: boolean | undefined;
  /** That provider is outside AWS. */
  isOutsideAws?: boolean | undefined;
  inputBytes: number;
  speed: Speed;
  /** Whether the encodings of the job fit into the memory of a worker. */
  fitsInto: (memory: WorkerMemory) => boolean;
};

export type WorkerStage = {
  processors: Processors;
  memory: WorkerMemory;
  chunking: ChunkSettings;
  /** Wall seconds that a function has. */
  timeoutSeconds: number;
  fargate: FargateComputer | undefined;
};

/** The use of a job before it has run, and the wall seconds from its claim to its end. */
export type ExpectedUse = Omit<JobUse, 'reads' | 'downloads'> & {
  seconds: number;
  /** Chunks of the video, of all steps together; 1 for a single pass. */
  chunks: number;
};

/** One pass over a job: some of its steps in a single pass, or one in chunks. */
type PassUse = Pick<
  ExpectedUse,
  'seconds' | 'workerSeconds' | 'taskSeconds' | 'tasks' | 'executions' | 'fargateTasks' | 'fargateSeconds'
> & { chunks: number };

type Stage = WorkerStage & Pick<ExpectedWork, 'speed' | 'isForProvider' | 'fitsInto'> & { slowness: number };

/** The expected use of a job. `slowness` multiplies the processor time: 1 for the middle of the estimates. */
export function expectedUse(
  { steps, inputBytes, speed, isForProvider, isOutsideAws, fitsInto }: ExpectedWork,
  workerStage: WorkerStage,
  slowness = 1,
): ExpectedUse {
  const stage: Stage = { ...workerStage, slowness, speed, isForProvider, fitsInto };
  const passes = passesOf({ steps, inputBytes }, stage);
  const sumOf = (field: 'seconds' | 'workerSeconds' | 'tasks' | 'executions') =>
    passes.reduce((sum, pass) => sum + pass[field], 0);
  // One worker at most: it goes on to the end.
  const { fargateTasks, fargateSeconds } = passes.find(isDelegated) ?? {};
  return {
    // The storage of files at a storage provider is billed to its owner.
    outputs: isForProvider ? 0 : 1,
    outputBytes: isForProvider ? 0 : totalCost(steps).outputBytes,
    ...(isOutsideAws ? { sentBytes: totalCost(steps).outputBytes } : {}),
    attempts: passes.length,
    seconds: sumOf('seconds'),
    workerSeconds: sumOf('workerSeconds'),
    taskSeconds: passes.reduce((sum, { taskSeconds = 0 }) => sum + taskSeconds, 0),
    tasks: sumOf('tasks'),
    executions: sumOf('executions'),
    ...(fargateTasks === undefined ? {} : { fargateTasks, fargateSeconds }),
    chunks: Math.max(
      1,
      passes.reduce((sum, { chunks }) => sum + (chunks > 1 ? chunks : 0), 0),
    ),
  };
}

/** Steps in chunks are passes of their own. Those between them are single passes together. */
function passesOf(
  { steps, inputBytes }: Pick<ExpectedWork, 'steps' | 'inputBytes'>,
  stage: Stage,
): PassUse[] {
  const [first] = steps;
  if (first === undefined) return [];
  const { processors, chunking, speed, slowness, timeoutSeconds } = stage;
  const remainingSeconds = timeoutSeconds - secondsBeforeEncoding(inputBytes);
  const policy = { settings: chunking, speed, processors, slowness, remainingSeconds };
  const { singlePassReasons, maxSinglePassSeconds } = stepsInChunks(steps, policy);
  const inChunks = (step: StepForecast) =>
    singlePassReasons.has(step.index)
      ? undefined
      : chunkedPass({ step, inputBytes }, { ...stage, chunking: { ...chunking, maxSinglePassSeconds } });
  const pass = inChunks(first);
  if (pass !== undefined) {
    return [pass, ...passesOf({ steps: steps.slice(1), inputBytes: first.cost.outputBytes }, stage)];
  }
  const nextInChunks = steps.findIndex((step, number) => number > 0 && inChunks(step) !== undefined);
  const group = nextInChunks === -1 ? steps : steps.slice(0, nextInChunks);
  const costs = { cost: totalCost(group), whole: totalCost(steps), inputBytes };
  const single = singlePassOf(costs, stage);
  if (nextInChunks === -1 || isDelegated(single)) return [single];
  const last = group.at(-1) ?? first;
  const [next, ...later] = passesOf(
    { steps: steps.slice(nextInChunks), inputBytes: last.cost.outputBytes },
    stage,
  );
  return next === undefined ? [single] : [joinPasses(single, next), ...later];
}

function isDelegated({ fargateTasks }: PassUse): boolean {
  return fargateTasks !== undefined;
}

/** The worker that ran the steps in front of a step in chunks has planned it too. */
function joinPasses(single: PassUse, chunked: PassUse): PassUse {
  return {
    ...chunked,
    seconds: single.seconds + chunked.seconds,
    workerSeconds: single.workerSeconds + chunked.workerSeconds,
  };
}

/** A Fargate task goes on to the end of the job. */
function singlePassOf(
  { cost, whole, inputBytes }: { cost: PlanCost; whole: PlanCost; inputBytes: number },
  stage: Stage,
): PassUse {
  const wholeOf = (of: PlanCost, on: Processors) => stage.slowness * expectedSeconds(of, on);
  const before = secondsBeforeEncoding(inputBytes);
  const task = taskOf({ cost, inputBytes }, stage, before);
  if (task === undefined) {
    const single = before + wholeOf(cost, stage.processors) + transferSeconds(cost.outputBytes);
    return { workerSeconds: single, seconds: single, tasks: 0, executions: 0, chunks: 1 };
  }
  const ownSeconds = before + wholeOf(whole, task.processors) + transferSeconds(whole.outputBytes);
  // The function downloads the inputs too, to plan.
  const fargate = { fargateTasks: 1, fargateSeconds: ownSeconds };
  return {
    seconds: before + ownSeconds,
    workerSeconds: before,
    tasks: 0,
    executions: 1,
    chunks: 1,
    ...fargate,
  };
}

/** Undefined if the step takes a single pass. */
function chunkedPass(
  { step: { cost, chunkable }, inputBytes }: { step: StepForecast; inputBytes: number },
  { processors, chunking, timeoutSeconds, slowness, speed, isForProvider = false }: Stage,
): PassUse | undefined {
  if (chunkable === undefined) return undefined;
  const wallOf = (cpuSeconds: number) => wallSeconds(cpuSeconds * slowness, processors);
  const before = secondsBeforeEncoding(inputBytes);
  const { encoding, durationSeconds, outputs } = chunkable;
  const policy: ChunkingPolicy = {
    settings: chunking,
    speed,
    work: { ...workOf(cost, processors), expectedSeconds: slowness * expectedSeconds(cost, processors) },
    remainingSeconds: timeoutSeconds - before,
  };
  if (singlePassReason(encoding, durationSeconds, policy) !== undefined) return undefined;
  const hasFinalFragments = mayAssembleStream({ encoding, outputs, isForProvider });
  const join = hasFinalFragments ? ({ hasFinalFragments } as const) : {};
  if (isStream(encoding) && joinDiskReason(join, cost) !== undefined) return undefined;
  const chunks = chunkCount(encoding, durationSeconds, policy);
  const planning = before + wallOf(Math.max(0, cost.cpuSeconds - cost.finalCpuSeconds));
  const encodingSeconds = wallOf(cost.finalCpuSeconds);
  const joining = overheadSeconds + 2 * transferSeconds(hasFinalFragments ? 0 : cost.outputBytes);
  const tasks = chunks * encodingsByCodec(encoding).length;
  const taskSeconds = encodingSeconds + (tasks + 1) * overheadSeconds + joining;
  const rounds = Math.ceil(tasks / chunking.maxParallelChunks);
  return {
    chunks,
    workerSeconds: planning + taskSeconds,
    taskSeconds,
    seconds: planning + rounds * (overheadSeconds + encodingSeconds / tasks) + joining,
    // The chunks, their measurements, the audio and the join.
    tasks: tasks * (targetOf(encoding) ? 2 : 1) + 2,
    executions: 1,
  };
}

/** The Fargate task to which transcode would delegate a single pass; undefined if it keeps the job. */
function taskOf(
  { cost, inputBytes }: { cost: PlanCost; inputBytes: number },
  { processors, memory, timeoutSeconds, fargate, fitsInto }: Stage,
  before: number,
): FargateComputer | undefined {
  if (fargate === undefined) return undefined;
  const lack = lackOfWorker(cost, {
    processors,
    maxSeconds: timeoutSeconds - before,
    hasMemory: fitsInto(memory),
    hasDisk: inputBytes <= maxDownloadBytes && inputBytes + cost.copiedBytes <= functionDiskBytes,
  });
  // The longest time of a task is not known here.
  return lack !== undefined && fitsInto(fargate.memory) ? fargate : undefined;
}
