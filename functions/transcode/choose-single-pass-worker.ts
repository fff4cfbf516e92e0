import type { PlanCost } from '@media-jobs/video/cost-model';
import {
  type Candidate,
  expectedSeconds,
  type Lack,
  lackOfWorker,
  spread,
} from '@media-jobs/video/cost-model';
import type { WorkerMemory } from '@media-jobs/video/encoding';
import { JobError } from '@media-jobs/video/errors';
import { functionDiskBytes } from '@media-jobs/video/probe';
import type { Step } from '@media-jobs/video/recipes';
import { fitsMemory } from '@media-jobs/video/recipes';
import { transferSeconds } from '../../core/pricing/expected-use.ts';
import { remainingSeconds, type TranscodeDeps, type WorkerContext } from '../../core/worker/worker-deps.ts';
import type { FetchedInputs } from './fetch-inputs.ts';
import { fargateBecause, OtherWorkerError } from './other-worker.ts';

/** The memory that a job is planned for: that of this worker, or that of a Fargate task if this one does not hold its encodings. */
export function memoryOfPlan(
  { memory, fargate }: Pick<TranscodeDeps, 'memory' | 'fargate'>,
  steps: readonly Step[],
  fetched: Pick<FetchedInputs, 'inputs' | 'assets' | 'canCompare'> & { from?: number | undefined },
): WorkerMemory | undefined {
  const isFitting = fargate === undefined || fitsMemory(steps, fetched, memory);
  return isFitting ? memory : fargate.memory;
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

type LimitDeps = Pick<TranscodeDeps, 'processors' | 'memory' | 'clock' | 'fargate' | 'maxDownloadBytes'>;

/**
 * Chooses the worker of a single pass before its source is downloaded and before it has cost a quarter of an hour: by memory,
 * disk and time. The sizes of encoded outputs are not known exactly enough to count for the disk.
 * @throws OtherWorkerError if a Fargate task is to process the job, to its end
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
  const holds = (memory: WorkerMemory | undefined) =>
    deps.fargate === undefined || fitsMemory(steps, { ...fetched, from }, memory);
  const { processors, fargate } = deps;
  const here: Candidate = { processors, maxSeconds: leftSeconds, hasMemory: holds(deps.memory), hasDisk };
  const lack = lackOfWorker(cost, here);
  if (lack === undefined) return;
  const task = fargate && { ...fargate, hasMemory: holds(fargate.memory), hasDisk: true };
  if (task && lackOfWorker(cost, task) === undefined) {
    const why = whyTask(lack, { seconds: expectedSeconds(cost, processors), isTooLarge });
    throw new OtherWorkerError(fargateBecause(why, `${reason}. `));
  }
  // The most capable worker tells what is missing.
  if (task?.hasMemory) throw tooLongForTask(task, cost);
  if (!hasDisk) throw tooLarge(work, { isTooLarge, maxDownloadBytes: deps.maxDownloadBytes });
  throw tooLong(here, { cost, reason });
}

function whyTask(lack: Lack, { seconds, isTooLarge }: { seconds: number; isTooLarge: boolean }): string {
  if (lack === 'time') return `a function would take ${timeOf(seconds)}`;
  if (lack === 'memory') return 'its encoder needs more memory than a function has';
  return `${isTooLarge ? 'its input does' : 'its input and its copy do'} not fit on a function's disk`;
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
  { cost, reason }: { cost: PlanCost; reason: string },
): JobError {
  const message =
    `This work takes ${timeOf(expectedSeconds(cost, processors))}, and a worker has ${minutes(maxSeconds)} left. ` +
    `${reason}. Choose a smaller frame size, a faster preset, h264 or a shorter input; the service's operator can ` +
    'raise transcoder.memoryMb, or set fargate for tasks that may take hours';
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
