import { account } from '../aws-names.ts';
import type { RouteMatch } from './routes.ts';
import { decodePathSegment } from './routes.ts';

/** A request as it came over the wire. `target` is the request target: path and query, undecoded. */
export type RawRequest = {
  method: string;
  target: string;
  httpVersion: string;
  /** Names and values in turn, duplicates included. */
  rawHeaders: readonly string[];
  body: Buffer;
  sourceIp: string;
  /** The port that it came to. */
  port: number;
};

/** What the gateway adds to a request. */
export type GatewayContext = { apiName: string; requestId: string; now: Date };

/** The event of payload format 2.0 for a Lambda proxy integration. */
export function proxyEvent(request: RawRequest, match: RouteMatch, facts: GatewayContext): object {
  const { path, query } = splitTarget(request.target);
  const { headers: sent, cookies } = joinHeaders(request.rawHeaders);
  const headers = { ...sent, ...forwarded(sent, request) };
  const queryStringParameters = joinedQuery(query);
  const host = headers.host ?? '';
  // Unlike a REST API, an HTTP API hands the path over decoded.
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
      apiId: facts.apiName,
      domainName: host,
      domainPrefix: host.split('.')[0] ?? '',
      http: {
        method: request.method,
        path: rawPath,
        protocol: `HTTP/${request.httpVersion}`,
        sourceIp: request.sourceIp,
        userAgent: headers['user-agent'] ?? '',
      },
      requestId: facts.requestId,
      routeKey: match.route.key,
      stage: '$default',
      time: logTime(facts.now),
      timeEpoch: facts.now.getTime(),
    },
    ...(match.pathParameters ? { pathParameters: match.pathParameters } : {}),
    ...bodyOf(request.body, headers['content-type']),
  };
}

function forwarded(headers: Record<string, string>, { sourceIp, port }: RawRequest): Record<string, string> {
  const before = headers['x-forwarded-for'];
  return {
    'x-forwarded-for': before === undefined ? sourceIp : `${before}, ${sourceIp}`,
    'x-forwarded-port': String(port),
    'x-forwarded-proto': 'http',
  };
}

/** The path and the query of a request target, both undecoded. */
export function splitTarget(target: string): { path: string; query: string } {
  const at = target.indexOf('?');
  return at < 0 ? { path: target, query: '' } : { path: target.slice(0, at), query: target.slice(at + 1) };
}

/** Headers under lower-case names, duplicates joined with commas; cookies apart. */
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
    const before = joined.get(name);
    joined.set(name, before === undefined ? value : `${before},${value}`);
  }
  return query === '' ? undefined : Object.fromEntries(joined);
}

// What AWS does, though its documentation does not say so: these are text, everything else is binary.
const textTypes = ['application/json', 'application/xml', 'application/javascript'];

function bodyOf(body: Buffer, contentType = ''): { body?: string; isBase64Encoded: boolean } {
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
