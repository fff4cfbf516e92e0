import { type Advantage, type Candidate, chooseWorker } from '../../core/cost-model/choose-worker.ts';
import type { PlanCost } from '../../core/cost-model/plan-cost.ts';
import { expectedSeconds, type Processors, spread } from '../../core/cost-model/processors.ts';
import type { WorkerMemory } from '../../core/encoding/encoder-memory.ts';
import { JobError } from '../../core/errors.ts';
import type { OtherWorkerName } from '../../core/jobs/record.ts';
import { functionDiskBytes } from '../../core/media/probe/input-limits.ts';
import { transferSeconds } from '../../core/pricing/expected-use.ts';
import { overheadSeconds } from '../../core/pricing/per-job.ts';
import { memoryFit } from '../../core/recipes/pipeline/memory-fit.ts';
import type { Step } from '../../core/recipes/pipeline/steps.ts';
import { remainingSeconds, type TranscodeDeps, type WorkerContext } from '../worker/worker-deps.ts';
import type { FetchedInputs } from './fetch-inputs.ts';
import { OtherWorkerError, otherWorkerBecause } from './other-worker.ts';

/** The memory that a job is planned for: that of this worker, or that of the first other which holds its encodings. */
export function memoryOfPlan(
  { memory, otherWorkers }: Pick<TranscodeDeps, 'memory' | 'otherWorkers'>,
  steps: readonly Step[],
  fetched: Pick<FetchedInputs, 'inputs' | 'assets' | 'canCompare'> & { from?: number | undefined },
): WorkerMemory | undefined {
  const fits = (of: WorkerMemory | undefined) => memoryFit(steps, fetched, of) !== 'none';
  if (otherWorkers.length === 0 || fits(memory)) return memory;
  const holding = otherWorkers.find((other) => fits(other.memory));
  // Without any, planning rejects the job by the largest.
  const largest = otherWorkers.toSorted((one, other) => other.memory.sizeBytes - one.memory.sizeBytes)[0];
  return (holding ?? largest)?.memory;
}

export type SinglePassWork = {
  steps: readonly Step[];
  /** The number of the first step that is left, from 0. */
  from?: number | undefined;
  fetched: Pick<FetchedInputs, 'inputs' | 'assets' | 'canCompare' | 'remoteSource' | 'inputSizeBytes'>;
  cost: PlanCost;
  /** Why the work is not split into chunks. */
  reason: string;
};

type LimitDeps = Pick<TranscodeDeps, 'processors' | 'memory' | 'clock' | 'otherWorkers' | 'maxDownloadBytes'>;

/**
 * Chooses the worker of a single pass before its source is downloaded and before it has cost a quarter of an hour: by memory,
 * disk, time and price. The sizes of encoded outputs are not known exactly enough to count for the disk.
 * @throws OtherWorkerError if another worker is to process the job
 * @throws JobError `INPUT_TOO_LONG` or `INPUT_TOO_LARGE` if none can end it
 */
export function requireThisWorker(
  deps: LimitDeps,
  { deadline }: Pick<WorkerContext, 'deadline'>,
  work: SinglePassWork,
): void {
  const { cost, fetched, reason, steps, from } = work;
  const { remoteSource, inputSizeBytes } = fetched;
  const remoteBytes = remoteSource?.remote.sizeBytes ?? 0;
  // A single pass downloads what has been read in place until now.
  const leftSeconds = remainingSeconds(deps.clock, deadline) - transferSeconds(remoteBytes);
  const isTooLarge = remoteBytes > deps.maxDownloadBytes;
  const hasDisk = !isTooLarge && inputSizeBytes + Math.round(cost.copiedBytes) <= functionDiskBytes;
  const fitOf = (memory: WorkerMemory | undefined) =>
    deps.otherWorkers.length === 0 ? 'usual' : memoryFit(steps, { ...fetched, from }, memory);
  const { processors, memory } = deps;
  const gigabytes = memory && memory.sizeBytes / 2 ** 30;
  const here: Candidate = { processors, maxSeconds: leftSeconds, fit: fitOf(memory), hasDisk, gigabytes };
  const others = deps.otherWorkers.map(
    ({ maxSeconds, ...other }): Candidate => ({
      ...other,
      maxSeconds: maxSeconds ?? leftSeconds,
      fit: fitOf(other.memory),
      hasDisk: hasDisk || other.name === 'fargate',
    }),
  );
  const startSeconds = overheadSeconds + transferSeconds(inputSizeBytes);
  const endSeconds = transferSeconds(cost.outputBytes);
  const choice = chooseWorker({ cost, startSeconds, endSeconds }, here, others);
  const chosen = choice.worker === undefined ? undefined : deps.otherWorkers[choice.worker];
  if (choice.worker !== undefined && chosen !== undefined) {
    const why = whyOther(choice.because, { cost, processors, other: chosen.processors, isTooLarge });
    throw new OtherWorkerError(otherWorkerBecause(chosen.name, why, `${reason}. `));
  }
  if (choice.worker !== undefined || choice.lacks === undefined) return;
  // The most capable worker tells what is missing.
  const last = others.findLastIndex((other) => other.fit !== 'none');
  const limiting = others[last] ?? here;
  if (!limiting.hasDisk) throw tooLarge(work, { isTooLarge, maxDownloadBytes: deps.maxDownloadBytes });
  throw tooLong(limiting, { cost, reason, name: deps.otherWorkers[last]?.name });
}

function whyOther(
  because: Advantage,
  {
    cost,
    processors,
    other,
    isTooLarge,
  }: { cost: PlanCost; processors: Processors; other: Processors; isTooLarge: boolean },
): string {
  const seconds = expectedSeconds(cost, processors);
  if (because === 'time') return `a function would take ${timeOf(seconds)}`;
  if (because === 'memory') return 'its encoder needs more memory than a function of the usual size has';
  if (because === 'disk')
    return `${isTooLarge ? 'its input does' : 'its input and its copy do'} not fit on a function's disk`;
  return `it takes about ${minutes(expectedSeconds(cost, other))} minutes instead of ${minutes(seconds)}, for the same price`;
}

function tooLarge(
  { cost, fetched: { inputSizeBytes }, reason }: SinglePassWork,
  { isTooLarge, maxDownloadBytes }: { isTooLarge: boolean; maxDownloadBytes: number },
): JobError {
  const need = isTooLarge
    ? `all of it on the disk of one worker, which takes ${maxDownloadBytes}`
    : `that and ${Math.round(cost.copiedBytes)} that are copied on the disk of one worker, which has ${functionDiskBytes}`;
  const message =
    `The input has ${inputSizeBytes} bytes, and this work needs ${need}. ${reason}. Use a recipe and parameters that are encoded in chunks, or a smaller input; ` +
    "the service's operator can set fargate for tasks with a larger disk";
  return new JobError('INPUT_TOO_LARGE', message);
}

type Limits = Pick<Candidate, 'processors' | 'maxSeconds'>;

function tooLong(
  { processors, maxSeconds }: Limits,
  { cost, reason, name }: { cost: PlanCost; reason: string; name: OtherWorkerName | undefined },
): JobError {
  if (name === 'fargate') return tooLongForTask({ processors, maxSeconds }, cost);
  const [worker, setting] =
    name === 'large' ? ['a large function', 'largeWorkers.memoryMb'] : ['a worker', 'transcoder.memoryMb'];
  const message =
    `This work takes ${timeOf(expectedSeconds(cost, processors))}, and ${worker} has ${minutes(maxSeconds)} left. ` +
    `${reason}. Choose a smaller frame size, a faster preset, h264 or a shorter input; the service's operator can ` +
    `raise ${setting}, or set fargate for tasks that may take hours`;
  return new JobError('INPUT_TOO_LONG', message);
}

/**
 * Rejects work for which a Fargate task has no time.
 * @throws JobError `INPUT_TOO_LONG`
 */
export function requireFittingTask(
  limits: Limits,
  cost: Pick<PlanCost, 'cpuSeconds' | 'serialSeconds'>,
): void {
  if (expectedSeconds(cost, limits.processors) * spread > limits.maxSeconds)
    throw tooLongForTask(limits, cost);
}

function tooLongForTask(
  { processors, maxSeconds }: Limits,
  cost: Pick<PlanCost, 'cpuSeconds' | 'serialSeconds'>,
): JobError {
  const seconds = expectedSeconds(cost, processors);
  const message =
    `This work takes a Fargate task ${timeOf(seconds)}, and it has ${minutes(maxSeconds)}. Choose a smaller frame size, a ` +
    "faster preset, h264 or a shorter input; the service's operator can raise fargate.maxHours or fargate.vcpus";
  return new JobError('INPUT_TOO_LONG', message);
}

function timeOf(seconds: number): string {
  return `about ${minutes(seconds)} minutes, up to ${minutes(seconds * spread)}`;
}

function minutes(seconds: number): string {
  return (seconds / 60).toFixed(1);
}
