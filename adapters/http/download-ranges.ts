import type { FileHandle } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import type { PinnedUrl } from '../../core/net/ports.ts';
import { statedCodings } from './content-coding.ts';
import { type RequestContext, sendGet } from './follow-redirects.ts';
import {
  HttpFailure,
  incompleteBody,
  isCut,
  mayRetry,
  progressBytes,
  StatusError,
  tooLargeError,
} from './http-failure.ts';
import { type DownloadContext, maxHeldInFileMs, type RemoteFile, retryTransient, sourceBody } from './open-source.ts';
import { readBody } from './send-request.ts';

/** Below this size, further connections cost more than they save. */
const minBytesForRanges = 16 * 1_024 * 1_024;
const connections = 4;
/** A server that serves one connection at a time must not delay the open one for long. */
const maxHeadMs = 5_000;

/** Bytes from `start` up to but excluding `end`; without `end`, up to the last byte. */
type OpenEndedRange = { start: number; end: number | undefined };

/** A range that is received over one connection at a time. `position` is the next byte to write. */
export type RangeDownload = {
  position: number;
  end: number | undefined;
  response: IncomingMessage | undefined;
  /** Whether its last connection closed before its end. */
  isCut?: boolean;
};

/** The server did not send exactly the requested range of exactly the known file. */
export class RangeNotServedError extends Error {
  constructor(host: string) {
    super(`${host} cannot continue a download`);
    this.name = 'RangeNotServedError';
  }
}

/** The file ends where the request begins, although its host had stated more bytes. */
class EndOfFileError extends Error {}

/**
 * Splits a download into ranges: four for a large file whose server supports ranges, otherwise the first response
 * alone. All ranges are open before a byte is read, so a server that rejects one costs only the requests.
 */
export async function openRanges(
  source: RemoteFile,
  first: IncomingMessage,
  context: DownloadContext,
): Promise<RangeDownload[]> {
  const { totalBytes, supportsRanges, validator } = source;
  const whole: RangeDownload = { position: 0, end: totalBytes, response: first };
  if (totalBytes === undefined || totalBytes < minBytesForRanges) return [whole];
  if (!supportsRanges || validator === undefined) return [whole];

  const rangeBytes = Math.ceil(totalBytes / connections);
  const ranges = Array.from({ length: connections - 1 }, (_, n) => ({
    start: (n + 1) * rangeBytes,
    end: Math.min((n + 2) * rangeBytes, totalBytes),
  }));
  const others = await openAll(ranges, source, context);
  return others === undefined ? [whole] : [{ ...whole, end: rangeBytes }, ...others];
}

/** Opens all ranges. If one fails, closes the others and returns undefined. */
async function openAll(
  ranges: OpenEndedRange[],
  source: RemoteFile,
  context: DownloadContext,
): Promise<RangeDownload[] | undefined> {
  const { request } = context;
  const idleMs = Math.min(request.limits.idleMs, maxHeadMs);
  const shortWait = { ...context, request: { ...request, limits: { ...request.limits, idleMs } } };
  const results = await Promise.allSettled(
    ranges.map(async ({ start, end }): Promise<RangeDownload> => {
      return { position: start, end, response: await openRange(source, { start, end }, shortWait) };
    }),
  );
  const opened = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  if (opened.length === ranges.length) return opened;
  for (const { response } of opened) response?.destroy();
  return undefined;
}

/**
 * The version of a file and the size that its ranges state, if its server serves a range of it now; undefined if it cannot be
 * read by ranges.
 */
export async function pinSource(source: RemoteFile, context: RequestContext): Promise<PinnedUrl | undefined> {
  const { validator, supportsRanges } = source;
  if (validator === undefined || !supportsRanges) return undefined;
  try {
    const response = await openRange({ ...source, totalBytes: undefined }, { start: 0, end: 1 }, context);
    response.destroy();
    const sizeBytes = Number(response.headers['content-range']?.split('/')[1]);
    const { maxBytes } = context.request.limits;
    if (sizeBytes > maxBytes) throw tooLargeError(maxBytes, sizeBytes);
    return { validator, sizeBytes };
  } catch (error) {
    if (error instanceof RangeNotServedError || error instanceof StatusError) return undefined;
    throw error;
  }
}

/**
 * Requests a range under `If-Range`. Throws RangeNotServedError unless the response is that range of that file, or
 * StatusError while the server is overloaded.
 */
async function openRange(source: RemoteFile, range: OpenEndedRange, context: RequestContext): Promise<IncomingMessage> {
  const { url, validator } = source;
  if (validator === undefined) throw new RangeNotServedError(url.host);
  const last = range.end === undefined ? '' : range.end - 1;
  const response = await sendGet(source, context, {
    range: `bytes=${range.start}-${last}`,
    'if-range': validator.value,
  });
  const isSameFile = response.headers[validator.header] === validator.value;
  if (response.statusCode === 206 && isSameFile && isRange(response, range, source.totalBytes)) return response;
  response.destroy();
  const isTail = range.end === source.totalBytes;
  const isAtEnd = response.headers['content-range'] === `bytes */${range.start}`;
  if (response.statusCode === 416 && isTail && isAtEnd) throw new EndOfFileError();
  const failure = new StatusError(url.host, response);
  throw mayRetry(failure) ? failure : new RangeNotServedError(url.host);
}

/** Whether a response has exactly these bytes, uncompressed, of a file of that size. */
export function isRange(
  { headers }: IncomingMessage,
  { start, end }: OpenEndedRange,
  totalBytes: number | undefined,
): boolean {
  const [, first, last, total] = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(headers['content-range'] ?? '') ?? [];
  if (total === undefined || statedCodings(headers['content-encoding']).length > 0) return false;
  const expectedTotal = totalBytes ?? Number(total);
  return Number(first) === start && Number(last) === (end ?? expectedTotal) - 1 && Number(total) === expectedTotal;
}

/**
 * Writes a range to the file and resumes it after failed connections. Throws RangeNotServedError when the server
 * cannot resume, and the last failure when resuming keeps failing.
 */
export async function receiveRange(
  range: RangeDownload,
  source: RemoteFile,
  context: DownloadContext & { onBytes: (bytes: number) => void },
): Promise<void> {
  const receive = async () => {
    try {
      const { response = await openRange(source, { start: range.position, end: range.end }, context) } = range;
      range.response = undefined;
      await writeBody(range, response, { ...context, source });
    } catch (error) {
      if (error instanceof EndOfFileError) return;
      if (error instanceof HttpFailure) range.isCut = isCut(error);
      throw error;
    }
  };
  let begun = range.position;
  const hasProgressed = () => {
    const bytes = range.position - begun;
    begun = range.position;
    return bytes >= progressBytes;
  };
  await retryTransient(context, receive, { hasProgressed, maxRetryAfterMs: maxHeldInFileMs }).catch(
    (error: unknown) => {
      // One whole request may succeed where ranges keep failing.
      throw error instanceof StatusError ? new RangeNotServedError(source.url.host) : error;
    },
  );
}

type WriteContext = DownloadContext & { source: RemoteFile; onBytes: (bytes: number) => void };

async function writeBody(range: RangeDownload, response: IncomingMessage, context: WriteContext): Promise<void> {
  const { source, file, signal, request, onBytes } = context;
  const { host } = source.url;
  const { maxBytes, ...limits } = request.limits;
  const options = { ...limits, host, signal };
  const body = range.position === 0 ? sourceBody(response, source, options) : readBody(response, options);
  for await (const chunk of body) {
    const bytes = range.end === undefined ? chunk : chunk.subarray(0, range.end - range.position);
    if (range.position + bytes.length > maxBytes) throw tooLargeError(maxBytes);
    await writeAt(file, bytes, range.position);
    range.position += bytes.length;
    onBytes(bytes.length);
    release(chunk);
    if (range.position === range.end) return;
  }
  if (range.end !== undefined && range.position < range.end) throw incompleteBody(host);
}

/** `FileHandle.write` may write fewer bytes than it is given. */
async function writeAt(file: FileHandle, bytes: Buffer, position: number): Promise<void> {
  for (let written = 0; written < bytes.length; ) {
    const { bytesWritten } = await file.write(bytes, written, bytes.length - written, position + written);
    written += bytesWritten;
  }
}

/**
 * Frees the memory of a written chunk at once: V8 would let 64 MiB accumulate before a collection. Safe only for a
 * chunk that fills its buffer, since a smaller one shares the buffer with others.
 */
function release(chunk: Buffer): void {
  const { buffer } = chunk;
  if (buffer instanceof ArrayBuffer && chunk.length === buffer.byteLength) buffer.transfer(0);
}
