import { type ChunkingPolicy, chunkCount, mayAssembleStream, targetOf, workOf } from '@media-jobs/video/chunking';
import { expectedSeconds, type Processors, wallSeconds } from '@media-jobs/video/cost-model';
import { transferSeconds, type WorkLimits, type WorkPass, type WorkStage } from '@media-jobs/video/decide';
import { encodingsByCodec } from '@media-jobs/video/encoding';
import { type StepForecast, totalCost } from '@media-jobs/video/recipes';
import type { JobUse } from './cost-of-job.ts';
import { poolOverhead } from './fargate-computer.ts';
import { claimedSeconds, overheadSeconds } from './per-job.ts';
import type { PricedStage } from './region-prices.ts';
import type { StepStorage } from './step-storage.ts';

/** Seconds that a worker has a job besides its encoding and its upload: probe, verification and the download. */
export function secondsBeforeEncoding(inputBytes: number, stage: Pick<PricedStage, 'claimedSeconds'>): number {
  return (stage.claimedSeconds ?? claimedSeconds) + transferSeconds(inputBytes);
}

export type ExpectedWork = {
  steps: readonly StepForecast[];
  passes: readonly WorkPass[];
  limits: WorkLimits;
  /** By default all files are in the bucket of the stage, for as long as it decides. */
  storage?: ((index: number) => StepStorage) | undefined;
};

/** The use of a job before it has run, and the wall seconds from its claim to its end. */
export type ExpectedUse = Omit<JobUse, 'reads' | 'downloads'> & {
  seconds: number;
  /** Chunks of the video, of all steps together; 1 for a single pass. */
  chunks: number;
};

type PassUse = Pick<
  ExpectedUse,
  'seconds' | 'workerSeconds' | 'taskSeconds' | 'tasks' | 'executions' | 'fargateTasks' | 'fargateSeconds'
> & { chunks: number };

type PassOfWork = {
  steps: readonly StepForecast[];
  /** What its worker transfers first. */
  inputBytes: number;
  limits: WorkLimits;
  /** Multiplies the processor time: 1 for the middle of the estimates. */
  slowness: number;
};

/** The workers of a stage, and the pool if the job runs there. */
export type PricedWorkStage = WorkStage &
  Pick<PricedStage, 'claimedSeconds'> & { pool?: { processors: Processors; isOnDemand: boolean } };

export function expectedUse(
  { steps, passes, limits, storage }: ExpectedWork,
  stage: PricedWorkStage,
  slowness = 1,
): ExpectedUse {
  if (limits.speed === 'economy' && stage.pool !== undefined) {
    const pass = { steps, inputBytes: limits.inputBytes, limits, slowness };
    return { ...filesOf(steps, storage), ...poolUse(pass, stage.pool) };
  }
  const uses = passes.map(({ kind, from, to }, number): PassUse => {
    const ofPass = steps.filter(({ index }) => index >= from && index < to);
    const before = steps.find(({ index }) => index === from - 1);
    const inputBytes = number === 0 ? limits.inputBytes : (before?.cost.outputBytes ?? 0);
    const pass = { steps: ofPass, inputBytes, limits, slowness };
    if (kind === 'task') return taskPass(pass, stage);
    if (kind === 'function') return functionPass(pass, stage);
    return chunkedPass(pass, stage);
  });
  const sumOf = (field: 'seconds' | 'workerSeconds' | 'tasks' | 'executions') =>
    uses.reduce((sum, use) => sum + use[field], 0);
  const { fargateTasks, fargateSeconds } = uses.at(-1) ?? {};
  // The function that ran the steps in front of a step in chunks plans it, too.
  const joined = passes.filter(({ kind }, number) => kind === 'chunks' && passes[number - 1]?.kind === 'function');
  return {
    ...filesOf(steps, storage),
    attempts: passes.length - joined.length,
    seconds: sumOf('seconds'),
    workerSeconds: sumOf('workerSeconds'),
    taskSeconds: uses.reduce((sum, { taskSeconds = 0 }) => sum + taskSeconds, 0),
    tasks: sumOf('tasks'),
    executions: sumOf('executions'),
    ...(fargateTasks === undefined ? {} : { fargateTasks, fargateSeconds }),
    chunks: Math.max(
      1,
      uses.reduce((sum, { chunks }) => sum + (chunks > 1 ? chunks : 0), 0),
    ),
  };
}

/** The storage and the transfer of the files that the steps deliver. */
function filesOf(
  steps: readonly StepForecast[],
  storage: ExpectedWork['storage'],
): Pick<JobUse, 'outputs' | 'outputBytes' | 'storageDays' | 'sentBytes'> {
  const delivered = steps.filter(({ isIntermediate }) => !isIntermediate);
  const files = delivered.map(({ index, cost: { outputBytes: bytes } }) => ({ bytes, ...storage?.(index) }));
  const kept = files.filter(({ isForProvider }) => !isForProvider);
  const sumOf = (numbers: readonly number[]) => numbers.reduce((sum, each) => sum + each, 0);
  const outputBytes = sumOf(kept.map(({ bytes }) => bytes));
  const byteDays = sumOf(kept.map(({ bytes, days = 0 }) => bytes * days));
  return {
    outputs: kept.length,
    outputBytes,
    ...(storage && outputBytes > 0 && { storageDays: byteDays / outputBytes }),
    sentBytes: sumOf(files.map(({ bytes, isOutsideAws }) => (isOutsideAws ? bytes : 0))),
  };
}

function singleSeconds(
  { steps, inputBytes, slowness }: PassOfWork,
  { stage, processors }: { stage: PricedWorkStage; processors: Processors },
): number {
  const cost = totalCost(steps);
  const encoding = slowness * expectedSeconds(cost, processors);
  return secondsBeforeEncoding(inputBytes, stage) + encoding + transferSeconds(cost.outputBytes);
}

function functionPass(pass: PassOfWork, stage: PricedWorkStage): PassUse {
  const seconds = singleSeconds(pass, { stage, processors: stage.function.processors });
  return { workerSeconds: seconds, seconds, tasks: 0, executions: 0, chunks: 1 };
}

/** A job of the pool, with the work that interruptions repeat. */
function poolUse(pass: PassOfWork, { processors, isOnDemand }: NonNullable<PricedWorkStage['pool']>) {
  const { cpuSeconds, outputBytes } = totalCost(pass.steps);
  // Several jobs together keep all vCPUs of a task busy.
  const encoding = (pass.slowness * processors.slowness * cpuSeconds) / processors.count;
  const transfers = transferSeconds(pass.inputBytes + outputBytes);
  const seconds = (encoding + transfers) * (1 + poolOverhead.repeated);
  const inPool = isOnDemand ? { onDemandSeconds: seconds } : { spotSeconds: seconds };
  return { seconds, workerSeconds: 0, tasks: 0, executions: 0, attempts: 1, chunks: 1, ...inPool };
}

/** The function downloads the inputs too, to plan. */
function taskPass(pass: PassOfWork, stage: PricedWorkStage): PassUse {
  const { task } = stage;
  if (task === undefined) throw new TypeError('A stage without tasks has no pass of a task');
  const fargateSeconds = singleSeconds(pass, { stage, processors: task.processors });
  const workerSeconds = secondsBeforeEncoding(pass.inputBytes, stage);
  return {
    seconds: workerSeconds + fargateSeconds,
    workerSeconds,
    tasks: 0,
    executions: 1,
    chunks: 1,
    fargateTasks: 1,
    fargateSeconds,
  };
}

function chunkedPass({ steps: [step], inputBytes, limits, slowness }: PassOfWork, stage: PricedWorkStage): PassUse {
  const { processors, maxSeconds } = stage.function;
  const { chunking } = stage;
  if (step?.chunkable === undefined) throw new TypeError('A pass in chunks has a video encoding');
  const { cost, chunkable } = step;
  const wallOf = (cpuSeconds: number) => wallSeconds(cpuSeconds * slowness, processors);
  const { encoding, durationSeconds = 0, outputs } = chunkable;
  const { speed, isForProvider = false } = limits;
  const policy: ChunkingPolicy = {
    settings: chunking,
    speed,
    work: workOf(cost, processors),
    remainingSeconds: maxSeconds,
  };
  const hasFinalFragments = mayAssembleStream({ encoding, outputs, isForProvider });
  const chunks = chunkCount(encoding, durationSeconds, policy);
  const planning =
    secondsBeforeEncoding(inputBytes, stage) + wallOf(Math.max(0, cost.cpuSeconds - cost.finalCpuSeconds));
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
