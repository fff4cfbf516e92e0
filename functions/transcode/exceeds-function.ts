import { JobError } from '../../core/errors.ts';
import type { JobIn } from '../../core/jobs/record.ts';
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
