import { account } from '../aws-names.ts';
import type { RouteMatch } from './routes.ts';
import { decodePathSegment } from './routes.ts';

/** A received request. `target` is the path and query, undecoded. */
export type RawRequest = {
  method: string;
  target: string;
  httpVersion: string;
  /** Names and values alternating, with duplicates. */
  rawHeaders: readonly string[];
  body: Buffer;
  sourceIp: string;
  /** The local port. */
  port: number;
};

/** Values that the gateway adds. */
export type GatewayContext = { apiName: string; requestId: string; now: Date };

/** The Lambda event of a request, in payload format 2.0. */
export function proxyEvent(request: RawRequest, match: RouteMatch, context: GatewayContext): object {
  const { path, query } = splitTarget(request.target);
  const { headers: sent, cookies } = joinHeaders(request.rawHeaders);
  const headers = { ...sent, ...forwarded(sent, request) };
  const queryStringParameters = joinedQuery(query);
  const host = headers.host ?? '';
  // Unlike a REST API, an HTTP API decodes the path.
  const rawPath = decodePathSegment(path);
  return {
    version: '2.0',
    routeKey: match.route.key,
    rawPath,
    rawQueryString: query,
    ...(cookies.length > 0 ? { cookies } : {}),
    headers,
    ...(queryStringParameters ? { queryStringParameters } : {}),
    requestContext: {
      accountId: account,
      apiId: context.apiName,
      domainName: host,
      domainPrefix: host.split('.')[0] ?? '',
      http: {
        method: request.method,
        path: rawPath,
        protocol: `HTTP/${request.httpVersion}`,
        sourceIp: request.sourceIp,
        userAgent: headers['user-agent'] ?? '',
      },
      requestId: context.requestId,
      routeKey: match.route.key,
      stage: '$default',
      time: logTime(context.now),
      timeEpoch: context.now.getTime(),
    },
    ...(match.pathParameters ? { pathParameters: match.pathParameters } : {}),
    ...encodeBody(request.body, headers['content-type']),
  };
}

function forwarded(headers: Record<string, string>, { sourceIp, port }: RawRequest): Record<string, string> {
  const previous = headers['x-forwarded-for'];
  return {
    'x-forwarded-for': previous === undefined ? sourceIp : `${previous}, ${sourceIp}`,
    'x-forwarded-port': String(port),
    'x-forwarded-proto': 'http',
  };
}

/** Splits a request target into path and query, both undecoded. */
export function splitTarget(target: string): { path: string; query: string } {
  const at = target.indexOf('?');
  return at < 0 ? { path: target, query: '' } : { path: target.slice(0, at), query: target.slice(at + 1) };
}

/** Lower-cases header names and joins duplicates with commas. Cookies are separate. */
export function joinHeaders(rawHeaders: readonly string[]): {
  headers: Record<string, string>;
  cookies: string[];
} {
  const headers: Record<string, string> = {};
  const cookies: string[] = [];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = (rawHeaders[index] ?? '').toLowerCase();
    const value = rawHeaders[index + 1] ?? '';
    if (name === 'cookie') cookies.push(...value.split(/;\s*/).filter(Boolean));
    else headers[name] = Object.hasOwn(headers, name) ? `${headers[name]},${value}` : value;
  }
  return { headers, cookies };
}

function joinedQuery(query: string): Record<string, string> | undefined {
  const joined = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(query)) {
    const previous = joined.get(name);
    joined.set(name, previous === undefined ? value : `${previous},${value}`);
  }
  return query === '' ? undefined : Object.fromEntries(joined);
}

// API Gateway passes bodies of these types as text and all others as base64. It is not documented.
const textTypes = ['application/json', 'application/xml', 'application/javascript'];

function encodeBody(body: Buffer, contentType = ''): { body?: string; isBase64Encoded: boolean } {
  if (body.length === 0) return { isBase64Encoded: false };
  const mediaType = contentType.split(';')[0]?.trim().toLowerCase() ?? '';
  const isText = mediaType.startsWith('text/') || textTypes.includes(mediaType);
  return { body: body.toString(isText ? 'utf8' : 'base64'), isBase64Encoded: !isText };
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** `12/Mar/2020:19:03:58 +0000` */
function logTime(now: Date): string {
  const two = (value: number) => String(value).padStart(2, '0');
  const day = `${two(now.getUTCDate())}/${months[now.getUTCMonth()]}/${now.getUTCFullYear()}`;
  return `${day}:${now.toISOString().slice(11, 19)} +0000`;
}
