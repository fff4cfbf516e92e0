import type { FileHandle } from 'node:fs/promises';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { JobError } from '../../core/errors.ts';
import { checkUrl } from '../../core/net/check-url.ts';
import type { DownloadRequest, Validator } from '../../core/net/ports.ts';
import { HttpFailure } from './http-failure.ts';
import { forbiddenError, StatusError, tooLargeError } from './input-error.ts';
import type { Network } from './network.ts';
import { mayRetry, retryTransient } from './retry-transient.ts';
import { sendRequest } from './send-request.ts';

const maxRedirects = 3;
/** URLs that temporary credentials of AWS have signed have about 2,000 characters, and no request stores this one. */
const maxRedirectCharacters = 8_192;
const redirectStatuses = new Set([301, 302, 303, 307, 308]);

/** What a request of an input needs. */
export type SourceRequest = Pick<DownloadRequest, 'url' | 'reachable' | 'userAgent'> & {
  limits: Omit<DownloadRequest['limits'], 'totalMs'>;
};

export type RequestContext = { request: SourceRequest; network: Network; signal: AbortSignal };

export type DownloadContext = RequestContext & { request: DownloadRequest; file: FileHandle };

/** A file as its first response describes it: enough to request ranges of the same version later. */
export type RemoteFile = {
  /** After redirects. */
  url: URL;
  totalBytes: number | undefined;
  /** Undefined if the server identifies no version: then no range may be requested. */
  validator: Validator | undefined;
  supportsRanges: boolean;
  /** The media type that the server sent, without parameters. */
  contentType: string | undefined;
};

type OpenedSource = { source: RemoteFile; response: IncomingMessage };

/**
 * Requests an input and follows its redirects, checking each target like the URL itself. Returns the unread response
 * once it is known to be the file and within the size limit. Repeats a request that failed at once.
 */
export function openSource(context: RequestContext): Promise<OpenedSource> {
  return retryTransient(context, () => openOnce(context), {
    isRetried: (error) => mayRetry(error) && !isTimeout(error),
  });
}

/** A server that did not answer in time has had long enough. */
function isTimeout(error: unknown): boolean {
  return error instanceof HttpFailure && ['connect-timeout', 'timeout'].includes(error.errorClass);
}

async function openOnce(context: RequestContext): Promise<OpenedSource> {
  const { url, response } = await followRedirects(context);
  try {
    return { source: acceptedSource(url, response, context.request), response };
  } catch (error) {
    response.destroy();
    throw error;
  }
}

/** Requests an input with these headers until the response is no redirect. Returns any other response. */
export async function followRedirects(
  context: RequestContext,
  headers: Record<string, string> = {},
): Promise<{ url: URL; response: IncomingMessage }> {
  const { request } = context;
  let url = checkedUrl(request.url, request);
  for (let redirects = 0; ; redirects += 1) {
    const response = await sendGet(url, context, headers);
    const { location } = response.headers;
    if (!redirectStatuses.has(response.statusCode ?? 0) || location === undefined) return { url, response };
    response.destroy();
    if (redirects === maxRedirects) {
      const message = `The input's URL redirects more than ${maxRedirects} times, the last time from ${url.host}`;
      throw new JobError('INPUT_UNREACHABLE', message, { retryable: false });
    }
    url = redirectTarget(url, location, request);
  }
}

/** Sends a GET to a URL whose text was checked; the address is checked here. Returns any response. */
export function sendGet(
  url: URL,
  { request, network, signal }: RequestContext,
  headers: Record<string, string> = {},
): Promise<IncomingMessage> {
  const { reachable, userAgent, limits } = request;
  return sendRequest(
    {
      url,
      method: 'GET',
      headers: { 'user-agent': userAgent, accept: '*/*', 'accept-encoding': 'identity', ...headers },
      headMs: limits.idleMs,
      rules: { reachable, connectMs: limits.connectMs, signal },
    },
    network,
  );
}

function checkedUrl(text: string, { reachable }: SourceRequest): URL {
  const { url, rejection } = checkUrl(text, { schemes: ['http', 'https'], reachable });
  if (url === undefined) throw forbiddenError(rejection);
  return url;
}

/** Rejects a redirect from https to http: anyone on the network could then replace the file. */
function redirectTarget(from: URL, location: string, { reachable }: SourceRequest): URL {
  // Node decodes headers as Latin-1, but servers write UTF-8.
  const target = URL.parse(Buffer.from(location, 'latin1').toString(), from.href);
  if (target === null) throw forbiddenError(`${from.host} redirects to an invalid URL`);
  const rules = { schemes: ['http', 'https'], reachable, maxCharacters: maxRedirectCharacters } as const;
  const { url, rejection } = checkUrl(target.href, rules);
  if (url === undefined) throw forbiddenError(`${from.host} redirects to a forbidden URL: ${rejection}`);
  if (from.protocol === 'https:' && url.protocol === 'http:') {
    throw forbiddenError(`${from.host} redirects from https to http, which is not followed`);
  }
  return url;
}

function acceptedSource(url: URL, response: IncomingMessage, { limits }: SourceRequest): RemoteFile {
  if (response.statusCode !== 200) throw new StatusError(url.host, response);
  // Servers send other values with plain files: `aws-chunked`, `none`, `utf-8`.
  const coding = /gzip|compress|deflate|br|zstd/i.exec(response.headers['content-encoding'] ?? '')?.[0];
  if (coding !== undefined) {
    const message = `${url.host} sends the input compressed (${coding}), although the request accepts identity only`;
    throw new JobError('INPUT_UNSUPPORTED', message);
  }
  const source = sourceFromHeaders(url, response.headers);
  if (source.totalBytes !== undefined && source.totalBytes > limits.maxBytes) {
    throw tooLargeError(limits.maxBytes, source.totalBytes);
  }
  return source;
}

function sourceFromHeaders(url: URL, headers: IncomingHttpHeaders): RemoteFile {
  const length = headers['content-length'];
  return {
    url,
    totalBytes: length === undefined ? undefined : Number(length),
    validator: validatorFromHeaders(headers),
    supportsRanges: headers['accept-ranges']?.trim().toLowerCase() === 'bytes',
    contentType: /^[\w.+-]+\/[\w.+-]+/.exec(headers['content-type'] ?? '')?.[0].toLowerCase(),
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
