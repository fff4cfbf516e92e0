import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { availableParallelism } from 'node:os';
import type { Duplex } from 'node:stream';
import pLimit, { type LimitFunction } from 'p-limit';
import { closeServer, frontHeaders, readBody, serveOnLoopback } from '../http-server.ts';
import { InvocationError } from '../lambda/invocation-error.ts';
import type { InvocationResult } from '../lambda/runtime-api.ts';
import type { Log } from '../log.ts';
import type { Cors } from '../template/resources/http-api.ts';
import type { RoutePlan, StagePlan } from '../template/stage-plan.ts';
import { functionResponse, type GatewayResponse, gatewayError, type PageHandler } from './gateway-response.ts';
import { joinHeaders, proxyEvent, splitTarget } from './proxy-event.ts';
import { type RouteMatch, routeMatcher } from './routes.ts';

/** A route with its function, which it invokes with the gateway's permission. */
export type GatewayRoute = RoutePlan & {
  /** @param signal cancels an invocation that has not started */
  invoke(event: object, signal: AbortSignal): Promise<InvocationResult>;
};

export type GatewayOptions = {
  api: Omit<StagePlan['api'], 'routes'> & { routes: readonly GatewayRoute[] };
  log: Log;
  /** Pages at the same origin as the API. */
  pages?: PageHandler | undefined;
};

// API Gateway's quotas for an HTTP API. They cannot be raised.

/** Request line and header values together. */
const maxHeaderBytes = 10_240;
const maxBodyBytes = 10 * 1024 * 1024;

/**
 * Invocations at once. Further requests wait: their functions would leave the emulators, which share the CPUs of this machine with
 * them, no time.
 */
export const maxInvocations = 4 * availableParallelism();

/**
 * A request waits for its invocation for this share of the time-out at most. One that starts just before the time-out would
 * end after it: under a backlog the machine would spend its time on responses that nobody receives.
 */
const maxWaitShare = 1 / 3;

type ServingOptions = GatewayOptions & { invocations: LimitFunction };

export type Gateway = {
  /** Without a trailing slash. Known before the functions exist, because they may need it. */
  baseUrl: string;
  /** Starts to serve the HTTP API. Until then every request gets a 503. */
  serve(options: GatewayOptions): void;
  stop(): Promise<void>;
};

/**
 * Serves the HTTP API of a template as API Gateway does.
 *
 * @param requestedPort 0 for any free port
 */
export async function openGateway(requestedPort: number): Promise<Gateway> {
  let listener: RequestListener = (request, response) => {
    request.resume();
    send(response, serviceUnavailable(), request.method ?? 'GET', {});
  };
  const server = createServer({ maxHeaderSize: 4 * maxHeaderBytes, keepAliveTimeout: 60_000 }, (request, response) =>
    listener(request, response),
  );
  server.on('clientError', rejectConnection);
  // Without a listener, Node closes a CONNECT request without a response.
  server.on('connect', (_, socket) => rejectConnection(new Error('CONNECT'), socket));
  const port = await serveOnLoopback(server, { port: requestedPort, pages: 'any' });
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    serve: (options) => {
      listener = createListener(options);
    },
    stop: () => closeServer(server),
  };
}

function createListener(gatewayOptions: GatewayOptions): RequestListener {
  const options = { ...gatewayOptions, invocations: pLimit(maxInvocations) };
  const findRoute = routeMatcher(options.api.routes);
  return (request, response) => {
    serve(request, response, options, findRoute).catch((error) => {
      options.log('gateway', `${request.method} ${request.url}: ${String(error)}`);
      response.destroy();
    });
  };
}

// The HTTP parser has failed, so there is no response object.
function rejectConnection(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (!socket.writable) return;
  const isHeaderOverflow = error.code === 'HPE_HEADER_OVERFLOW';
  const { status, headers, body } = isHeaderOverflow ? headersTooLarge() : gatewayError(400, 'Bad Request');
  const reason = isHeaderOverflow ? 'Request Header Fields Too Large' : 'Bad Request';
  const lines = Object.entries({ ...headers, 'content-length': body.length, connection: 'close' });
  socket.end(`HTTP/1.1 ${status} ${reason}\r\n${lines.map((line) => line.join(': ')).join('\r\n')}\r\n\r\n${body}`);
  // Read the rest: closing with unread data would reset the connection before the client has the response.
  socket.resume();
}

async function serve(
  request: IncomingMessage,
  response: ServerResponse,
  options: ServingOptions,
  findRoute: (method: string, path: string) => RouteMatch<GatewayRoute> | undefined,
): Promise<void> {
  const requestId = randomUUID();
  const { headers } = joinHeaders(request.rawHeaders);
  const method = request.method ?? 'GET';
  const { path } = splitTarget(request.url ?? '/');
  const body = async () => (await readBody(request, maxBodyBytes)) ?? Buffer.alloc(0);
  const page = options.pages?.(method, path, body, headers);
  if (page) return send(response, await page, method, {});
  const crossOrigin: CrossOriginRequest = {
    method,
    origin: headers.origin,
    requestedMethod: headers['access-control-request-method'],
  };
  const match = findRoute(method, path);
  const result = await respondTo(request, { match, crossOrigin, requestId }, options);
  send(response, result, method, { ...corsHeaders(options, crossOrigin), 'apigw-requestid': requestId });
}

type MatchedRequest = {
  match: RouteMatch<GatewayRoute> | undefined;
  crossOrigin: CrossOriginRequest;
  requestId: string;
};

async function respondTo(
  request: IncomingMessage,
  matchedRequest: MatchedRequest,
  options: ServingOptions,
): Promise<GatewayResponse> {
  const { match, crossOrigin, requestId } = matchedRequest;
  if (headerBytes(request) > maxHeaderBytes) return headersTooLarge();
  if (!match) {
    const preflight = options.api.cors && isPreflight(crossOrigin);
    return preflight ? preflightResponse() : gatewayError(404, 'Not Found');
  }
  const body = await readBody(request, maxBodyBytes);
  if (!body) return bodyTooLarge();
  const rawRequest = {
    method: crossOrigin.method,
    target: request.url ?? '/',
    httpVersion: request.httpVersion,
    rawHeaders: request.rawHeaders,
    body,
    sourceIp: request.socket.remoteAddress ?? '',
    port: request.socket.localPort ?? 0,
  };
  const event = proxyEvent(rawRequest, match, { apiName: options.api.name, requestId, now: new Date() });
  return invoke(match.route, event, options);
}

async function invoke(route: GatewayRoute, event: object, options: ServingOptions): Promise<GatewayResponse> {
  const { log, invocations } = options;
  const timeout = Promise.withResolvers<GatewayResponse>();
  const unstarted = new AbortController();
  let isWaiting = true;
  const giveUp = () => {
    timeout.resolve(serviceUnavailable());
    unstarted.abort();
  };
  const waitTimer = setTimeout(() => isWaiting && giveUp(), route.timeoutMs * maxWaitShare);
  const timer = setTimeout(giveUp, route.timeoutMs);
  const start = async () => {
    unstarted.signal.throwIfAborted();
    isWaiting = false;
    return withoutManagedHeaders(functionResponse(await route.invoke(event, unstarted.signal)), options);
  };
  try {
    return await Promise.race([invocations(start), timeout.promise]);
  } catch (error) {
    log('gateway', `${route.key}: ${String(error)}`);
    return invocationFailure(error);
  } finally {
    clearTimeout(waitTimer);
    clearTimeout(timer);
  }
}

function invocationFailure(error: unknown): GatewayResponse {
  if (error instanceof InvocationError) {
    if (error.name === 'TooManyRequestsException') return serviceUnavailable();
    if (error.name === 'RequestTooLargeException') return bodyTooLarge();
  }
  return gatewayError(500, 'Internal Server Error');
}

function corsHeaders({ api }: GatewayOptions, request: CrossOriginRequest): Record<string, string> {
  return api.cors ? crossOriginHeaders(api.cors, request) : {};
}

function send(
  response: ServerResponse,
  result: GatewayResponse,
  method: string,
  gatewayHeaders: Record<string, string>,
): void {
  response.writeHead(result.status, {
    ...result.headers,
    ...gatewayHeaders,
    ...contentLength(result, method),
  });
  response.end(method === 'HEAD' ? undefined : result.body);
}

/** API Gateway sets the framing headers itself. It ignores the CORS headers of a function if the API has a CORS configuration. */
function withoutManagedHeaders(result: GatewayResponse, { api }: GatewayOptions): GatewayResponse {
  const isManaged = (name: string) =>
    (api.cors && name.startsWith('access-control-')) || ['connection', 'transfer-encoding'].includes(name);
  const headers = Object.entries(result.headers).filter(([name]) => !isManaged(name));
  return { ...result, headers: Object.fromEntries(headers) };
}

/** A function knows the length of what it does not send: the response to a HEAD has that of the GET. */
function contentLength({ status, headers, body }: GatewayResponse, method: string): Record<string, string> {
  if (status === 204 || status === 304) return {};
  const stated = method === 'HEAD' ? headers['content-length'] : undefined;
  return { 'content-length': String(stated ?? body.length) };
}

function headerBytes({ method = '', url = '', httpVersion, rawHeaders }: IncomingMessage): number {
  const line = `${method} ${url} HTTP/${httpVersion}`.length;
  return rawHeaders.reduce((sum, text, index) => (index % 2 === 1 ? sum + text.length : sum), line);
}

const preflightResponse = () => ({ status: 204, headers: frontHeaders, body: Buffer.alloc(0) });
const headersTooLarge = () => gatewayError(431, 'Request Header Fields Too Large');
const bodyTooLarge = () => gatewayError(413, 'Request Entity Too Large');
const serviceUnavailable = () => gatewayError(503, 'Service Unavailable');

/** The parts of a request that CORS depends on. */
type CrossOriginRequest = {
  method: string;
  origin: string | undefined;
  requestedMethod: string | undefined;
};

function isPreflight({ method, origin, requestedMethod }: CrossOriginRequest): boolean {
  return method === 'OPTIONS' && origin !== undefined && requestedMethod !== undefined;
}

/** The CORS headers of a response. None for a request without an origin, or from an origin that is not allowed. */
function crossOriginHeaders(cors: Cors, request: CrossOriginRequest): Record<string, string> {
  const { origin } = request;
  if (origin === undefined) return {};
  const anyOrigin = cors.AllowOrigins.includes('*');
  if (!anyOrigin && !cors.AllowOrigins.includes(origin)) return {};
  const headers: Record<string, string> = { 'access-control-allow-origin': anyOrigin ? '*' : origin };
  if (cors.AllowCredentials) headers['access-control-allow-credentials'] = 'true';
  if (!isPreflight(request)) return { ...headers, ...listHeader('access-control-expose-headers', cors.ExposeHeaders) };
  return {
    ...headers,
    ...listHeader('access-control-allow-methods', cors.AllowMethods),
    ...listHeader('access-control-allow-headers', cors.AllowHeaders),
    ...(cors.MaxAge === undefined ? {} : { 'access-control-max-age': String(cors.MaxAge) }),
  };
}

function listHeader(name: string, values: readonly string[]): Record<string, string> {
  return values.length > 0 ? { [name]: values.join(',') } : {};
}
