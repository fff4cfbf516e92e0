import type { DownloadInputRequest, TranscodeDeps } from '../../core/worker/worker-deps.ts';
import { fargateBecause, OtherWorkerError } from './other-worker.ts';

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
      if (fetchedBytes + totalBytes > maxDownloadBytes && totalBytes <= request.maxBytes) {
        const why = "its inputs do not fit on a function's disk";
        tooLarge.abort(new OtherWorkerError(fargateBecause(why)));
      }
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
