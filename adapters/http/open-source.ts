import type { IncomingMessage } from 'node:http';
import { JobError } from '../../core/errors.ts';
import { checkUrl } from '../../core/net/check-url.ts';
import type { DownloadRequest } from '../../core/net/ports.ts';
import { forbiddenError, statusError, tooLargeError } from './input-error.ts';
import { type Source, sourceFromHeaders } from './source.ts';
import { type DownloadContext, sendGet } from './transfer.ts';

const maxRedirects = 3;
const redirectStatuses = new Set([301, 302, 303, 307, 308]);

/**
 * Asks for an input and follows its redirects, each judged like the URL itself. Gives the answer with its body unread
 * once it is certain that it is the file and that the file is not too large.
 */
export async function openSource(
  transfer: Omit<DownloadContext, 'file'>,
): Promise<{ source: Source; response: IncomingMessage }> {
  const { request } = transfer;
  let url = checkedUrl(request.url, request);
  for (let redirects = 0; ; redirects += 1) {
    const response = await sendGet(url, transfer);
    const { location } = response.headers;
    try {
      if (!redirectStatuses.has(response.statusCode ?? 0) || location === undefined) {
        return { source: acceptedSource(url, response, request), response };
      }
      if (redirects === maxRedirects) {
        const message = `The input's URL redirects more than ${maxRedirects} times, at last from ${url.host}`;
        throw new JobError('INPUT_UNREACHABLE', message, { retryable: false });
      }
      url = redirectTarget(url, location, request);
      response.destroy();
    } catch (error) {
      response.destroy();
      throw error;
    }
  }
}

function checkedUrl(text: string, { reachable }: DownloadRequest): URL {
  const { url, rejection } = checkUrl(text, { schemes: ['http', 'https'], reachable });
  if (url === undefined) throw forbiddenError(rejection);
  return url;
}

/** Where a redirect leads. Never from https to http: whoever wrote https wants the file as its host sent it. */
function redirectTarget(from: URL, location: string, { reachable }: DownloadRequest): URL {
  // Node reads headers as Latin-1, servers write UTF-8.
  const target = URL.parse(Buffer.from(location, 'latin1').toString(), from.href);
  if (target === null) throw forbiddenError(`${from.host} redirects to something that is not a URL`);
  const { url, rejection } = checkUrl(target.href, { schemes: ['http', 'https'], reachable });
  if (url === undefined)
    throw forbiddenError(`${from.host} redirects to a URL that is refused: ${rejection}`);
  if (from.protocol === 'https:' && url.protocol === 'http:') {
    throw forbiddenError(`${from.host} redirects from https to http, which is not followed`);
  }
  return url;
}

function acceptedSource(url: URL, response: IncomingMessage, { limits }: DownloadRequest): Source {
  const status = response.statusCode ?? 0;
  if (status !== 200) throw statusError(url.host, status);
  // Other values are seen on plain files: `aws-chunked`, `none`, `utf-8`.
  const coding = /gzip|compress|deflate|br|zstd/i.exec(response.headers['content-encoding'] ?? '')?.[0];
  if (coding !== undefined) {
    const message = `${url.host} sends the input compressed (${coding}) although it was asked not to`;
    throw new JobError('INPUT_UNSUPPORTED', message);
  }
  const source = sourceFromHeaders(url, response.headers);
  if (source.totalBytes !== undefined && source.totalBytes > limits.maxBytes) {
    throw tooLargeError(limits.maxBytes, source.totalBytes);
  }
  return source;
}
