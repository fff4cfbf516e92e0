import type { IncomingMessage } from 'node:http';
import { JobError } from '@media-jobs/video/errors';
import { CookieJar } from 'tough-cookie';
import { checkUrl } from '../../core/net/check-url.ts';
import type { DownloadRequest } from '../../core/net/ports.ts';
import { forbiddenError, HttpFailure } from './http-failure.ts';
import { type Network, withTimeLimit } from './open-connection.ts';
import { sendRequest } from './send-request.ts';

/** As browsers (https://fetch.spec.whatwg.org/#http-redirect-fetch). */
const maxRedirects = 20;
/** URLs that temporary credentials of AWS have signed have about 2,000 characters, and no request stores this one. */
const maxRedirectCharacters = 8_192;
const redirectStatuses = new Set([301, 302, 303, 307, 308]);

export type SourceRequest = Pick<DownloadRequest, 'url' | 'reachable' | 'userAgent'> & {
  limits: Omit<DownloadRequest['limits'], 'totalMs'>;
};

export type RequestContext = { request: SourceRequest; network: Network; signal: AbortSignal };

/** What the hosts of a chain of redirects have set, for further requests of the same file. */
export type Visit = {
  cookies: CookieJar;
  /** The value of `Accept-Encoding`; undefined for a host that refuses it. */
  acceptEncoding: string | undefined;
};

export type Arrival = { url: URL; response: IncomingMessage; visit: Visit };

/**
 * Requests an input with these headers and follows its redirects, with the cookies that they set, as a browser does. Checks
 * each target like the URL itself. Returns any response that is no redirect.
 */
export function followRedirects(context: RequestContext, headers: Record<string, string> = {}): Promise<Arrival> {
  const { request, signal: parent } = context;
  const ms = 2 * request.limits.idleMs;
  const failure = () =>
    new HttpFailure('timeout', `The redirects of the input's URL led to no answer within ${ms / 1000} s`);
  return withTimeLimit({ ms, failure, parent }, (signal) => follow({ ...context, signal }, headers));
}

async function follow(context: RequestContext, headers: Record<string, string>): Promise<Arrival> {
  const { request } = context;
  const visit: Visit = { cookies: new CookieJar(), acceptEncoding: 'identity' };
  let url = checkedUrl(request.url, request);
  for (let redirects = 0; ; redirects += 1) {
    const response = await sendGet({ url, visit }, context, headers);
    const { location = '' } = response.headers;
    if (!redirectStatuses.has(response.statusCode ?? 0) || location === '') return { url, response, visit };
    response.destroy();
    if (redirects === maxRedirects) {
      const message = `The input's URL redirects more than ${maxRedirects} times, the last time from ${url.host}`;
      throw new JobError('INPUT_UNREACHABLE', message, { retryable: false });
    }
    url = redirectTarget(url, location, request);
  }
}

/** Sends a GET to a URL whose text was checked; the address is checked here. Returns any response. */
export async function sendGet(
  { url, visit }: Pick<Arrival, 'url' | 'visit'>,
  context: RequestContext,
  headers: Record<string, string> = {},
): Promise<IncomingMessage> {
  const { request, network, signal } = context;
  const { reachable, userAgent, limits } = request;
  const { cookies, acceptEncoding } = visit;
  const cookie = cookies.getCookieStringSync(url.href);
  const response = await sendRequest(
    {
      url,
      method: 'GET',
      headers: {
        'user-agent': userAgent,
        accept: '*/*',
        ...(acceptEncoding === undefined ? {} : { 'accept-encoding': acceptEncoding }),
        ...(cookie === '' ? {} : { cookie }),
        ...headers,
      },
      headMs: limits.idleMs,
      rules: { reachable, connectMs: limits.connectMs, signal },
      isLenient: true,
    },
    network,
  );
  for (const each of response.headers['set-cookie'] ?? []) cookies.setCookieSync(each, url.href, { ignoreError: true });
  if (response.statusCode !== 406 || acceptEncoding === undefined) return response;
  response.destroy();
  visit.acceptEncoding = undefined;
  return sendGet({ url, visit }, context, headers);
}

function checkedUrl(text: string, { reachable }: SourceRequest): URL {
  const { url, rejection } = checkUrl(text, { schemes: ['http', 'https'], reachable });
  if (url === undefined) throw forbiddenError(rejection);
  return url;
}

/** Rejects a redirect from https to http: anyone on the network could then replace the file. */
function redirectTarget(from: URL, location: string, { reachable }: SourceRequest): URL {
  // Node decodes headers as Latin-1. Bytes of any encoding are percent-encoded, as browsers do.
  const encoded = location.replace(/[\x80-\xff]/g, (byte) => `%${byte.charCodeAt(0).toString(16)}`);
  const target = URL.parse(encoded, from.href);
  if (target === null) throw forbiddenError(`${from.host} redirects to an invalid URL`);
  const rules = { schemes: ['http', 'https'], reachable, maxCharacters: maxRedirectCharacters } as const;
  const { url, rejection } = checkUrl(target.href, rules);
  if (url === undefined) throw forbiddenError(`${from.host} redirects to a forbidden URL: ${rejection}`);
  if (from.protocol === 'https:' && url.protocol === 'http:') {
    throw forbiddenError(`${from.host} redirects from https to http, which is not followed`);
  }
  return url;
}
