import type { PlanCost } from '../../core/cost-model/plan-cost.ts';
import { expectedSeconds, spread } from '../../core/cost-model/processors.ts';
import { JobError } from '../../core/errors.ts';
import type { JobIn } from '../../core/jobs/record.ts';
import { isDiskFull } from '../../core/media/disk-full-error.ts';
import { functionDiskBytes } from '../../core/media/probe/input-limits.ts';
import {
  type DownloadInputRequest,
  remainingSeconds,
  type TranscodeDeps,
  type WorkerContext,
} from '../worker/worker-deps.ts';
import type { FetchedInputs } from './fetch-inputs.ts';

/** No function can end the job: a Fargate task processes it. */
export class ExceedsFunctionError extends Error {
  readonly reason: string;

  constructor(reason: string) {
    super(reason);
    this.name = 'ExceedsFunctionError';
    this.reason = reason;
  }
}

/**
 * Dependencies whose downloads stop as soon as the inputs that they have fetched are known not to fit on a function's disk.
 * Without Fargate tasks such inputs are too large.
 */
export function fittingDownloads<Deps extends TranscodeDeps>(deps: Deps): Deps {
  const { download, fargate, maxDownloadBytes } = deps;
  if (fargate === undefined) return deps;
  let fetchedBytes = 0;
  const downloadThatFits = async (request: DownloadInputRequest) => {
    const tooLarge = new AbortController();
    const signal = AbortSignal.any([request.signal, tooLarge.signal]);
    const onProgress: DownloadInputRequest['onProgress'] = (progress) => {
      const { bytes, totalBytes = bytes } = progress;
      if (fetchedBytes + totalBytes > maxDownloadBytes && totalBytes <= request.maxBytes)
        tooLarge.abort(
          new ExceedsFunctionError("A Fargate task encodes it: its inputs do not fit on a function's disk"),
        );
      request.onProgress(progress);
    };
    const file = await download({ ...request, signal, onProgress }).catch((cause: unknown) => {
      throw tooLarge.signal.aborted ? tooLarge.signal.reason : cause;
    });
    if (!('location' in file)) fetchedBytes += file.bytes;
    return file;
  };
  return { ...deps, download: downloadThatFits, maxDownloadBytes: deps.limits.sizeBytes };
}

/**
 * Rejects a single pass that would not end before the deadline, before it has cost a quarter of an hour.
 * @param reason why the work is not split into chunks
 * @throws ExceedsFunctionError if a Fargate task has time for it
 * @throws JobError `INPUT_TOO_LONG`
 */
export function requireFittingTime(
  { processors, clock, fargate }: Pick<TranscodeDeps, 'processors' | 'clock' | 'fargate'>,
  { deadline }: Pick<WorkerContext, 'deadline'>,
  { cost, reason }: { cost: PlanCost; reason: string },
): void {
  const seconds = expectedSeconds(cost, processors);
  const leftSeconds = remainingSeconds(clock, deadline);
  if (seconds * spread <= leftSeconds) return;
  const time = `about ${minutes(seconds)} minutes, up to ${minutes(seconds * spread)}`;
  if (fargate === undefined) {
    const message =
      `This work takes ${time}, and a worker has ${minutes(leftSeconds)} left. ${reason}. Choose a smaller frame ` +
      "size, a faster preset, h264 or a shorter input; the service's operator can raise transcoder.memoryMb, or set " +
      'fargate for tasks that may take hours';
    throw new JobError('INPUT_TOO_LONG', message);
  }
  requireFittingTask(fargate, cost);
  throw new ExceedsFunctionError(`${reason}. A Fargate task encodes it: a function would take ${time}`);
}

/**
 * Rejects a source before its download if it does not fit on the disk, alone or together with what is copied from it. The
 * sizes of encoded outputs are not known exactly enough to count.
 * @param reason why the work is not split into chunks
 * @throws ExceedsFunctionError if a Fargate task has time for it
 * @throws JobError `INPUT_TOO_LARGE`
 */
export function requireFittingDisk(
  { maxDownloadBytes, fargate }: Pick<TranscodeDeps, 'maxDownloadBytes' | 'fargate'>,
  { remoteSource, inputSizeBytes }: Pick<FetchedInputs, 'remoteSource' | 'inputSizeBytes'>,
  { cost, reason }: { cost: PlanCost; reason: string },
): void {
  const isTooLarge = (remoteSource?.remote.sizeBytes ?? 0) > maxDownloadBytes;
  const copiedBytes = Math.round(cost.copiedBytes);
  if (!isTooLarge && inputSizeBytes + copiedBytes <= functionDiskBytes) return;
  if (fargate !== undefined) {
    requireFittingTask(fargate, cost);
    const files = isTooLarge ? 'its input does' : 'its input and its copy do';
    const why = `A Fargate task encodes it: ${files} not fit on a function's disk`;
    throw new ExceedsFunctionError(`${reason}. ${why}`);
  }
  const need = isTooLarge
    ? `all of it on the disk of one worker, which takes ${maxDownloadBytes}`
    : `that and ${copiedBytes} that are copied on the disk of one worker, which has ${functionDiskBytes}`;
  const message =
    `The input has ${inputSizeBytes} bytes, and this work needs ${need}. ${reason}. Use a recipe and parameters that are encoded in chunks, or a smaller input; ` +
    "the service's operator can set fargate for tasks with a larger disk";
  throw new JobError('INPUT_TOO_LARGE', message);
}

/**
 * Why a Fargate task has to process a job after an error of its function; undefined if the stage has no such tasks, or if
 * a task would fail too. What the plan did not predict counts as well: the function's time or disk was used up.
 */
export function reasonForFargate(
  { fargate, clock }: Pick<TranscodeDeps, 'fargate' | 'clock'>,
  { chunking }: Pick<JobIn<'processing'>, 'chunking'>,
  { error, deadline }: { error: unknown; deadline: Date },
): string | undefined {
  if (fargate === undefined) return undefined;
  if (error instanceof ExceedsFunctionError) return error.reason;
  const isTimeout = error instanceof JobError && error.code === 'TIMEOUT' && clock.now() >= deadline;
  if (!isTimeout && !isDiskFull(error)) return undefined;
  const excess = isTimeout
    ? "it took longer than a function's time"
    : "its files do not fit on a function's disk";
  const singlePass = chunking?.chunks === 1 ? `${chunking.reason}. ` : '';
  return `${singlePass}A Fargate task encodes it: ${excess}`;
}

/**
 * Rejects work for which a Fargate task has no time.
 * @throws JobError `INPUT_TOO_LONG`
 */
export function requireFittingTask(
  { processors, maxSeconds }: Pick<NonNullable<TranscodeDeps['fargate']>, 'processors' | 'maxSeconds'>,
  cost: Pick<PlanCost, 'cpuSeconds' | 'serialSeconds'>,
): void {
  const seconds = expectedSeconds(cost, processors);
  if (seconds * spread <= maxSeconds) return;
  const message =
    `This work takes a Fargate task about ${minutes(seconds)} minutes, up to ` +
    `${minutes(seconds * spread)}, and it has ${minutes(maxSeconds)}. Choose a smaller frame size, a faster ` +
    "preset, h264 or a shorter input; the service's operator can raise fargate.maxHours or fargate.vcpus";
  throw new JobError('INPUT_TOO_LONG', message);
}

function minutes(seconds: number): string {
  return (seconds / 60).toFixed(1);
}
