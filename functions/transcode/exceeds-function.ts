import { JobError } from '../../core/errors.ts';
import { isDiskFull } from '../../core/media/disk-full-error.ts';
import type { DownloadInputRequest, TranscodeDeps } from '../worker/worker-deps.ts';

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
 * Why a Fargate task has to process a job after an error of its function; undefined if the stage has no such tasks, or if
 * a task would fail too. What the plan did not predict counts as well: the function's time or disk was used up.
 */
export function reasonForFargate(
  { fargate, clock }: Pick<TranscodeDeps, 'fargate' | 'clock'>,
  error: unknown,
  deadline: Date,
): string | undefined {
  if (fargate === undefined) return undefined;
  if (error instanceof ExceedsFunctionError) return error.reason;
  if (isDiskFull(error)) return "A Fargate task encodes it: its files do not fit on a function's disk";
  const isTimeout = error instanceof JobError && error.code === 'TIMEOUT';
  return isTimeout && clock.now() >= deadline
    ? "A Fargate task encodes it: it took longer than a function's time"
    : undefined;
}

/** Of the 10 GB of a function's disk, what the inputs may take: the rest is for the outputs. */
const maxFunctionInputBytes = 9_000_000_000;

/** A download that stops as soon as the inputs that it has fetched are known not to fit on a function's disk. */
export function downloadThatFits({ download, fargate }: TranscodeDeps): TranscodeDeps['download'] {
  if (fargate === undefined) return download;
  let fetchedBytes = 0;
  return async (request: DownloadInputRequest) => {
    const tooLarge = new AbortController();
    const signal = AbortSignal.any([request.signal, tooLarge.signal]);
    const onProgress: DownloadInputRequest['onProgress'] = (progress) => {
      const { bytes, totalBytes = bytes } = progress;
      if (fetchedBytes + totalBytes > maxFunctionInputBytes && totalBytes <= request.maxBytes)
        tooLarge.abort(
          new ExceedsFunctionError("A Fargate task encodes it: its inputs do not fit on a function's disk"),
        );
      request.onProgress(progress);
    };
    const file = await download({ ...request, signal, onProgress }).catch((cause: unknown) => {
      throw tooLarge.signal.aborted ? tooLarge.signal.reason : cause;
    });
    fetchedBytes += file.bytes;
    return file;
  };
}
