import type { FileHandle } from 'node:fs/promises';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { JobError } from '@media-jobs/video/errors';
import pRetry from 'p-retry';
import type { DownloadRequest, Validator } from '../../core/net/ports.ts';
import { isWebPage, pageHeadBytes, statedFilename, storeErrorCode } from '../../core/net/response.ts';
import { codingsOf, decodeBody, splitHead } from './content-coding.ts';
import {
  type Arrival,
  followRedirects,
  type RequestContext,
  type SourceRequest,
  type Visit,
} from './follow-redirects.ts';
import { HttpFailure, mayRetry, StatusError, tooLargeError } from './http-failure.ts';
import { type Network, withTimeLimit } from './open-connection.ts';
import { type ReadOptions, readBody } from './send-request.ts';

export type DownloadContext = RequestContext & { request: DownloadRequest; file: FileHandle };

/** A file as its first response describes it: enough to request ranges of the same version later. */
export type RemoteFile = {
  /** After redirects. */
  url: URL;
  visit: Visit;
  /** The compressions of its body. A range of a compressed file cannot be decoded, so none is requested. */
  codings: readonly string[];
  /** Undefined too if the body is compressed. */
  totalBytes: number | undefined;
  /** Undefined if the server identifies no version: then no range may be requested. */
  validator: Validator | undefined;
  supportsRanges: boolean;
  /** The media type that the server sent, without parameters. */
  contentType: string | undefined;
  /** The file name that the server states. */
  name: string | undefined;
};

type OpenedSource = { source: RemoteFile; response: IncomingMessage };

/**
 * Requests an input and follows its redirects, checking each target like the URL itself. Returns the unread response
 * once it is known to be the file and within the size limit. Repeats a request that failed at once.
 */
export function openSource(context: RequestContext): Promise<OpenedSource> {
  return retryTransient(context, () => openOnce(context), {
    isRetried: (error) => {
      // A server that did not answer in time has had long enough.
      const isTimeout = error instanceof HttpFailure && ['connect-timeout', 'timeout'].includes(error.errorClass);
      return mayRetry(error) && !isTimeout;
    },
  });
}

/** Error documents of object stores have less than a kilobyte. */
const maxBytes = 8_192;

const maxMs = 5_000;

/** The error for a response without the file. Reads the code of an object store from its body, and closes the connection. */
export async function statusError(
  host: string,
  response: IncomingMessage,
  { signal: parent }: Pick<RequestContext, 'signal'>,
): Promise<StatusError> {
  const failure = () => new Error(`${host} sends its error slowly`);
  const body = await withTimeLimit({ ms: maxMs, failure, parent }, (signal) =>
    readStart(response, { host, signal }),
  ).catch(() => '');
  parent.throwIfAborted();
  return new StatusError(host, response, storeErrorCode(response.headers, body));
}

async function readStart(response: IncomingMessage, options: { host: string; signal: AbortSignal }): Promise<string> {
  let body = '';
  for await (const chunk of readBody(response, { ...options, idleMs: maxMs })) {
    body += chunk.toString('latin1');
    if (body.length >= maxBytes) break;
  }
  return body.slice(0, maxBytes);
}

async function openOnce(context: RequestContext): Promise<OpenedSource> {
  const arrival = await followRedirects(context);
  const { url, response } = arrival;
  try {
    if (!isWhole(response)) throw await statusError(url.host, response, context);
    return { source: acceptedSource(arrival, context.request), response };
  } catch (error) {
    response.destroy();
    throw error;
  }
}

/** 203 is 200 behind a proxy. Some hosts answer 206 without a request for a range, with all bytes. */
function isWhole({ statusCode, headers }: IncomingMessage): boolean {
  if (statusCode !== 206) return statusCode === 200 || statusCode === 203;
  const [, last, total] = /^bytes 0-(\d+)\/(\d+)$/.exec(headers['content-range'] ?? '') ?? [];
  return last !== undefined && Number(last) + 1 === Number(total);
}

function acceptedSource({ url, response, visit }: Arrival, { limits }: SourceRequest): RemoteFile {
  const { headers } = response;
  const codings = codingsOf(url.host, headers['content-encoding']);
  // The length of a chunked body is that of its chunks (RFC 9112, section 6.3).
  const length = headers['transfer-encoding'] === undefined ? headers['content-length'] : undefined;
  const sentBytes = length === undefined ? undefined : Number(length);
  if (sentBytes !== undefined && sentBytes > limits.maxBytes) throw tooLargeError(limits.maxBytes, sentBytes);
  const isPlain = codings.length === 0;
  return {
    url,
    visit,
    codings,
    totalBytes: isPlain ? sentBytes : undefined,
    validator: isPlain ? validatorFromHeaders(headers) : undefined,
    supportsRanges: isPlain && headers['accept-ranges']?.trim().toLowerCase() === 'bytes',
    contentType: /^[\w.+-]+\/[\w.+-]+/.exec(headers['content-type'] ?? '')?.[0].toLowerCase(),
    name: statedFilename(headers['content-disposition']),
  };
}

/**
 * A strong ETag, or a Last-Modified at least one second before the response's Date: a file can change twice within
 * the one-second resolution of Last-Modified (RFC 9110, section 8.8.2.2).
 */
function validatorFromHeaders(headers: IncomingHttpHeaders): Validator | undefined {
  const { etag, 'last-modified': modified, date } = headers;
  if (etag?.startsWith('"')) return { header: 'etag', value: etag };
  const agedMs = Date.parse(date ?? '') - Date.parse(modified ?? '');
  return modified !== undefined && agedMs >= 1_000 ? { header: 'last-modified', value: modified } : undefined;
}

/**
 * Yields the decoded body of a response that begins at the first byte of a source.
 * @throws JobError `INPUT_NOT_MEDIA` if it is a web page, and the errors of `readBody` and `decodeBody`
 */
export async function* sourceBody(
  response: IncomingMessage,
  { url, codings, contentType }: Pick<RemoteFile, 'url' | 'codings' | 'contentType'>,
  options: Omit<ReadOptions, 'host'>,
): AsyncGenerator<Buffer> {
  const { host } = url;
  const decoded = decodeBody(readBody(response, { ...options, host }), { codings, host });
  const chunks = decoded[Symbol.asyncIterator]();
  const { head, rest } = await splitHead(chunks, pageHeadBytes);
  if (isWebPage(head, contentType)) {
    await chunks.return?.();
    const page = 'a web page (text/html), not a file';
    throw new JobError('INPUT_NOT_MEDIA', `${host} sent ${page}: it may ask for a sign-in or show a preview`);
  }
  yield* rest;
}

/** Reads the beginning of a source, and closes the connection. A failure is left to the requests that follow. */
export async function checkBeginning(...source: Parameters<typeof sourceBody>): Promise<void> {
  try {
    for await (const _ of sourceBody(...source)) break;
  } catch (error) {
    if (error instanceof JobError) throw error;
  }
}

const maxRetries = 5;

/** A worker waits and is billed: for a server that asks for more time, the job is requeued. */
const maxHeldMs = 1_000;
/** The same while a file is read: the bytes that arrived would be lost. */
export const maxHeldInFileMs = 20_000;

/**
 * Repeats a request that failed, five times at most, with pauses that double: after a broken connection, or a status such
 * as 429 or 503, then not before the time of its `Retry-After`.
 *
 * @throws the last error of the request; after an abort, the reason of the signal
 */
export function retryTransient<T>(
  { network, signal }: { network: Pick<Network, 'pause'>; signal: AbortSignal },
  request: () => Promise<T>,
  {
    isRetried = mayRetry,
    hasProgressed = () => false,
    pauseMs = (retries) => 125 * 2 ** retries,
    maxRetryAfterMs = maxHeldMs,
  }: {
    isRetried?: (error: unknown) => boolean;
    /** Called after each failure: whether `progressBytes` have arrived since the last one. */
    hasProgressed?: () => boolean;
    /** The pause after so many retries that made no progress. */
    pauseMs?: (retries: number) => number;
    /** The longest `Retry-After` that is waited for. After a longer one the error is thrown. */
    maxRetryAfterMs?: number;
  } = {},
): Promise<T> {
  return pRetry(request, {
    signal,
    retries: maxRetries,
    // The network waits, so that tests do not.
    minTimeout: 0,
    shouldConsumeRetry: () => !hasProgressed(),
    shouldRetry: async ({ error, retriesConsumed }) => {
      const { retryAfterMs = 0 } = error instanceof StatusError ? error : {};
      if (!isRetried(error) || retryAfterMs > maxRetryAfterMs) return false;
      await network.pause(Math.max(retryAfterMs, pauseMs(retriesConsumed)), signal);
      return true;
    },
  });
}
