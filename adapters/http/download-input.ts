import { open, rm } from 'node:fs/promises';
import type { Download, DownloadRequest, LargeInput } from '../../core/net/ports.ts';
import {
  openRanges,
  pinSource,
  type RangeDownload,
  RangeNotServedError,
  receiveRange,
} from './download-ranges.ts';
import { HttpFailure } from './http-failure.ts';
import { toInputError } from './input-error.ts';
import { type Network, systemNetwork } from './network.ts';
import { type DownloadContext, openSource, type RemoteFile } from './open-source.ts';
import { withTimeLimit } from './with-time-limit.ts';

/** Restarts from byte 0 after the server could not resume. */
const maxRestarts = 2;

/**
 * Downloads an http or https URL to a file in constant memory. Throws JobError INPUT_UNREACHABLE, INPUT_FORBIDDEN,
 * INPUT_TOO_LARGE or INPUT_UNSUPPORTED (a compressed transfer), or the reason of `signal`. Messages contain the host
 * of a URL only: paths and queries carry secrets.
 */
export async function downloadInput(
  request: DownloadRequest,
  network: Network = systemNetwork,
): Promise<Download> {
  const result = await fetchInput({ request, network, leaveFromBytes: Number.POSITIVE_INFINITY });
  if ('pinned' in result) throw new TypeError('No input is as large as infinity');
  return result;
}

/**
 * Downloads an input unless it is as large as `leaveFromBytes`: then it is left in place, and no file is written.
 * Throws as `downloadInput`.
 */
export function downloadUnlessLarge(
  request: DownloadRequest & { leaveFromBytes: number },
  network: Network = systemNetwork,
): Promise<Download | LargeInput> {
  return fetchInput({ request, network, leaveFromBytes: request.leaveFromBytes });
}

type FetchContext = Pick<DownloadContext, 'request' | 'network'> & { leaveFromBytes: number };

async function fetchInput({
  request,
  network,
  leaveFromBytes,
}: FetchContext): Promise<Download | LargeInput> {
  const { path, signal: parent, limits } = request;
  const failure = () =>
    new HttpFailure('timeout', `The input did not arrive within ${limits.totalMs / 1000} s`);
  const file = await open(path, 'w', 0o600);
  try {
    const result = await withTimeLimit({ ms: limits.totalMs, failure, parent }, (signal) =>
      download({ request, network, file, signal, leaveFromBytes }),
    );
    if ('pinned' in result) await rm(path, { force: true });
    return result;
  } catch (error) {
    await rm(path, { force: true });
    throw toInputError(error);
  } finally {
    await file.close();
  }
}

async function download({
  leaveFromBytes,
  ...context
}: DownloadContext & FetchContext): Promise<Download | LargeInput> {
  for (let restarts = 0; ; restarts += 1) {
    const { source, response } = await openSource(context);
    const { totalBytes: sizeBytes = 0 } = source;
    if (sizeBytes >= leaveFromBytes) {
      response.destroy();
      return { sizeBytes, name: source.name, pinned: await pinSource(source, context) };
    }
    if (restarts > 0) await context.file.truncate(0);
    const whole: RangeDownload = { position: 0, end: source.totalBytes, response };
    // Ranges on the first try only: a server that failed with them gets a single request.
    const ranges = restarts === 0 ? await openRanges(source, response, context) : [whole];
    try {
      const bytes = await receiveAll(ranges, source, context);
      const { url, contentType, name } = source;
      return { bytes, finalUrl: url.href, contentType, name };
    } catch (error) {
      if (!(error instanceof RangeNotServedError)) throw error;
      if (restarts === maxRestarts) {
        const message = `${source.url.host} kept closing the connection and cannot resume a download`;
        throw new HttpFailure('reset', message, { cause: error });
      }
    }
  }
}

/** Receives all ranges concurrently. The first failure stops the others and is thrown after all have ended. */
async function receiveAll(
  ranges: RangeDownload[],
  source: RemoteFile,
  context: DownloadContext,
): Promise<number> {
  const group = new AbortController();
  const signal = AbortSignal.any([context.signal, group.signal]);
  let received = 0;
  const onBytes = (bytes: number) => {
    received += bytes;
    context.request.onProgress?.({ bytes: received, totalBytes: source.totalBytes });
  };
  await Promise.all(
    ranges.map((range) =>
      receiveRange(range, source, { ...context, signal, onBytes }).catch((error: unknown) =>
        group.abort(error),
      ),
    ),
  );
  group.signal.throwIfAborted();
  return received;
}
