import { open, rm } from 'node:fs/promises';
import type { Download, DownloadRequest } from '../../core/net/ports.ts';
import { type RangeDownload, receiveRange } from './download-ranges.ts';
import { HttpFailure } from './http-failure.ts';
import { asInputError } from './input-error.ts';
import { type Network, systemNetwork } from './network.ts';
import { openRanges } from './open-parts.ts';
import { RangeNotServedError } from './open-range.ts';
import { openSource } from './open-source.ts';
import type { Source } from './source.ts';
import type { DownloadContext } from './transfer.ts';
import { withTimeLimit } from './with-time-limit.ts';

/** How often a download starts again from its first byte because the server could not continue it. */
const maxRestarts = 2;

/**
 * Brings the file at an http or https URL to this machine, in constant memory. Throws JobError INPUT_UNREACHABLE,
 * INPUT_FORBIDDEN, INPUT_TOO_LARGE or INPUT_UNSUPPORTED (a compressed transfer); when `signal` aborts, its reason.
 * Messages name the host and nothing else of a URL: paths and queries carry secrets.
 */
export async function downloadInput(
  request: DownloadRequest,
  network: Network = systemNetwork,
): Promise<Download> {
  const { path, signal: parent, limits } = request;
  const failure = () =>
    new HttpFailure('timeout', `The input did not arrive within ${limits.totalMs / 1000} s`);
  const file = await open(path, 'w', 0o600);
  try {
    return await withTimeLimit({ ms: limits.totalMs, failure, parent }, (signal) =>
      download({ request, network, file, signal }),
    );
  } catch (error) {
    await rm(path, { force: true });
    throw asInputError(error);
  } finally {
    await file.close();
  }
}

async function download(transfer: DownloadContext): Promise<Download> {
  for (let restarts = 0; ; restarts += 1) {
    const { source, response } = await openSource(transfer);
    if (restarts > 0) await transfer.file.truncate(0);
    const whole: RangeDownload = { position: 0, end: source.totalBytes, response };
    // Only the first time: a server that failed at parts once is asked for one thing after that.
    const parts = restarts === 0 ? await openRanges(source, response, transfer) : [whole];
    try {
      const bytes = await receiveAll(parts, source, transfer);
      const { url, contentType } = source;
      return { bytes, finalUrl: url.href, ...(contentType !== undefined && { contentType }) };
    } catch (error) {
      if (!(error instanceof RangeNotServedError)) throw error;
      if (restarts === maxRestarts) {
        const message = `${source.url.host} kept closing the connection and cannot continue a download`;
        throw new HttpFailure('reset', message, { cause: error });
      }
    }
  }
}

/** Receives all parts at once. The first to fail stops the others, and its error is thrown when all have ended. */
async function receiveAll(
  parts: RangeDownload[],
  source: Source,
  transfer: DownloadContext,
): Promise<number> {
  const group = new AbortController();
  const signal = AbortSignal.any([transfer.signal, group.signal]);
  let received = 0;
  const onBytes = (bytes: number) => {
    received += bytes;
    transfer.request.onProgress?.({ bytes: received, totalBytes: source.totalBytes });
  };
  await Promise.all(
    parts.map((part) =>
      receiveRange(part, source, { ...transfer, signal, onBytes }).catch((error: unknown) =>
        group.abort(error),
      ),
    ),
  );
  group.signal.throwIfAborted();
  return received;
}
