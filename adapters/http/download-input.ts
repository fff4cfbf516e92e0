import { open, rm } from 'node:fs/promises';
import type { Download, DownloadRequest, LargeInput } from '../../core/net/ports.ts';
import { openRanges, pinSource, type RangeDownload, RangeNotServedError, receiveRange } from './download-ranges.ts';
import type { SourceRequest } from './follow-redirects.ts';
import { HttpFailure, incompleteBody, isCut, ShortBodyFailure, toInputError, tooLargeError } from './http-failure.ts';
import { type Network, systemNetwork, withTimeLimit } from './open-connection.ts';
import { checkBeginning, type DownloadContext, openSource, type RemoteFile, sourceBody } from './open-source.ts';

/** Restarts from byte 0 after the server could not resume. */
const maxRestarts = 2;

/**
 * Downloads an http or https URL to a file in constant memory. Throws JobError INPUT_UNREACHABLE, INPUT_FORBIDDEN,
 * INPUT_TOO_LARGE or INPUT_UNSUPPORTED (a compressed transfer), or the reason of `signal`. Messages contain the host
 * of a URL only: paths and queries carry secrets.
 */
export async function downloadInput(request: DownloadRequest, network: Network = systemNetwork): Promise<Download> {
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

async function fetchInput({ request, network, leaveFromBytes }: FetchContext): Promise<Download | LargeInput> {
  const { path, signal: parent, limits } = request;
  const failure = () => new HttpFailure('timeout', `The input did not arrive within ${limits.totalMs / 1000} s`);
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
  let cutAt: number | undefined;
  for (let restarts = 0; ; restarts += 1) {
    const { source, response } = await openSource(context);
    const { url, name, totalBytes: statedBytes } = source;
    const { signal, request } = context;
    if ((statedBytes ?? 0) >= leaveFromBytes) {
      await checkBeginning(response, source, { ...request.limits, signal });
      const pinned = await pinSource(source, context);
      return { sizeBytes: pinned?.sizeBytes ?? statedBytes ?? 0, name, pinned };
    }
    if (restarts > 0) await context.file.truncate(0);
    const whole: RangeDownload = { position: 0, end: source.totalBytes, response };
    // Ranges on the first try only: a server that failed with them gets a single request.
    const ranges = restarts === 0 ? await openRanges(source, response, context) : [whole];
    const received = { bytes: 0 };
    try {
      await receiveAll(ranges, { source, received }, context);
      return { name, bytes: received.bytes };
    } catch (cause) {
      const sentBytes = received.bytes;
      const short =
        statedBytes === undefined ? undefined : new ShortBodyFailure(url.host, { statedBytes, sentBytes, cause });
      if (!(cause instanceof RangeNotServedError)) throw isCut(cause) && short ? short : cause;
      const isWhole = ranges.length === 1 && ranges[0]?.isCut === true;
      if (isWhole && short && sentBytes === cutAt) return { name, bytes: sentBytes, shortfall: short.message };
      cutAt = isWhole ? sentBytes : undefined;
      if (restarts === maxRestarts)
        throw (
          short ??
          new HttpFailure('reset', `${url.host} kept closing the connection and cannot resume a download`, { cause })
        );
    }
  }
}

/** Receives all ranges concurrently. The first failure stops the others and is thrown after all have ended. */
async function receiveAll(
  ranges: RangeDownload[],
  { source, received }: { source: RemoteFile; received: { bytes: number } },
  context: DownloadContext,
): Promise<void> {
  const group = new AbortController();
  const signal = AbortSignal.any([context.signal, group.signal]);
  const onBytes = (bytes: number) => {
    received.bytes += bytes;
    context.request.onProgress?.({ bytes: received.bytes, totalBytes: source.totalBytes });
  };
  await Promise.all(
    ranges.map((range) =>
      receiveRange(range, source, { ...context, signal, onBytes }).catch((error: unknown) => group.abort(error)),
    ),
  );
  group.signal.throwIfAborted();
}

/** An input that arrives. Its body throws HttpFailure or JobError, and the signal's reason after an abort. */
type ArrivingInput = { totalBytes: number | undefined; body: AsyncGenerator<Buffer> };

type StreamInputRequest = SourceRequest &
  Required<Pick<DownloadRequest, 'signal' | 'onProgress'>> & {
    /** Of an earlier request whose body was short: one that ends at the same byte is whole. */
    endsAt?: number | undefined;
  };

/** Requests an http or https URL once and yields what arrives, for a server that cannot resume. */
export async function streamInput(request: StreamInputRequest): Promise<ArrivingInput> {
  const { signal, limits } = request;
  const { source, response } = await openSource({ request, network: systemNetwork, signal });
  const { url, totalBytes } = source;
  const arriving = sourceBody(response, source, { ...limits, signal });
  return { totalBytes, body: counted(arriving, { request, totalBytes, host: url.host }) };
}

async function* counted(
  arriving: AsyncIterable<Buffer>,
  { request, totalBytes, host }: { request: StreamInputRequest; host: string } & Pick<ArrivingInput, 'totalBytes'>,
): AsyncGenerator<Buffer> {
  let bytes = 0;
  try {
    for await (const chunk of arriving) {
      bytes += chunk.length;
      if (bytes > request.limits.maxBytes) throw tooLargeError(request.limits.maxBytes);
      request.onProgress({ bytes, totalBytes });
      yield chunk;
    }
    if (totalBytes !== undefined && bytes < totalBytes) throw incompleteBody(host);
  } catch (cause) {
    if (!isCut(cause) || totalBytes === undefined) throw cause;
    if (bytes !== request.endsAt)
      throw new ShortBodyFailure(host, { statedBytes: totalBytes, sentBytes: bytes, cause });
  }
}
