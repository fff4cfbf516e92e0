import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { closeServer, listenOnLoopback, readBody } from '../http-server.ts';
import { TooManyRequestsError } from '../lambda/function-pool.ts';
import type { Functions } from '../lambda/functions.ts';
import type { Log } from '../log.ts';
import type { StagePlan } from '../template/stage-plan.ts';
import { type CrossOriginRequest, crossOriginHeaders, isPreflight } from './cors.ts';
import { functionResponse, type GatewayResponse, gatewayError } from './gateway-response.ts';
import { maxBodyBytes, maxEventBytes, maxHeaderBytes } from './limits.ts';
import type { PageHandler } from './pages.ts';
import { joinHeaders, proxyEvent, splitTarget } from './proxy-event.ts';
import { type RouteMatch, routeMatcher } from './routes.ts';

export type GatewayOptions = {
  api: StagePlan['api'];
  functions: Functions;
  log: Log;
  /** What is served beside the API, at the same origin. */
  pages?: PageHandler | undefined;
};

export type Gateway = {
  /** Where it listens, without a slash at the end: functions may have to know it before they are there. */
  baseUrl: string;
  /** Begins to serve the HTTP API of the template as API Gateway does; until then it is unavailable. */
  serve(options: GatewayOptions): void;
  stop(): Promise<void>;
};

/** Listens on a port, 0 for any free one. */
export async function openGateway(atPort: number): Promise<Gateway> {
  let listener: RequestListener = (request, response) => {
    request.resume();
    send(response, unavailable(), request.method ?? 'GET', {});
  };
  const server = createServer(
    { maxHeaderSize: 4 * maxHeaderBytes, keepAliveTimeout: 60_000 },
    (request, response) => listener(request, response),
  );
  server.on('clientError', refuse);
  // Nobody reaches other hosts through a gateway; the parser ends such a connection without a word otherwise.
  server.on('connect', (_, socket) => refuse(new Error('CONNECT'), socket));
  const port = await listenOnLoopback(server, atPort);
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    serve: (options) => {
      listener = listenerOf(options);
    },
    stop: () => closeServer(server),
  };
}

function listenerOf(options: GatewayOptions): RequestListener {
  const routeOf = routeMatcher(options.api.routes);
  return (request, response) => {
    serve(request, response, options, routeOf).catch((error) => {
      options.log('front', `${request.method} ${request.url}: ${String(error)}`);
      response.destroy();
    });
  };
}

// Bytes that never became a request: the parser gave up on them.
function refuse(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (!socket.writable) return;
  const tooLarge = error.code === 'HPE_HEADER_OVERFLOW';
  const { status, body } = tooLarge ? headersTooLarge() : gatewayError(400, 'Bad Request');
  const reason = tooLarge ? 'Request Header Fields Too Large' : 'Bad Request';
  socket.end(
    `HTTP/1.1 ${status} ${reason}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n` +
      `Connection: close\r\n\r\n${body}`,
  );
  // What is still coming must be read, or closing would reset the connection before our answer is.
  socket.resume();
}

async function serve(
  request: IncomingMessage,
  response: ServerResponse,
  options: GatewayOptions,
  routeOf: (method: string, path: string) => RouteMatch | undefined,
): Promise<void> {
  const requestId = randomUUID();
  const { headers } = joinHeaders(request.rawHeaders);
  const method = request.method ?? 'GET';
  const { path } = splitTarget(request.url ?? '/');
  const page = options.pages?.(method, path);
  if (page) return send(response, page, method, {});
  const crossOrigin: CrossOriginRequest = {
    method,
    origin: headers.origin,
    requestedMethod: headers['access-control-request-method'],
  };
  const match = routeOf(method, path);
  const answer = await answerTo(request, { match, crossOrigin, requestId }, options);
  send(response, answer, method, { ...corsOf(options, crossOrigin), 'apigw-requestid': requestId });
}

type Matched = { match: RouteMatch | undefined; crossOrigin: CrossOriginRequest; requestId: string };

async function answerTo(
  request: IncomingMessage,
  matched: Matched,
  options: GatewayOptions,
): Promise<GatewayResponse> {
  const { match, crossOrigin, requestId } = matched;
  if (headerBytes(request) > maxHeaderBytes) return headersTooLarge();
  if (!match) {
    const preflight = options.api.cors && isPreflight(crossOrigin);
    return preflight ? { status: 204, headers: {}, body: Buffer.alloc(0) } : gatewayError(404, 'Not Found');
  }
  const body = await readBody(request, maxBodyBytes);
  if (!body) return bodyTooLarge();
  const raw = {
    method: crossOrigin.method,
    target: request.url ?? '/',
    httpVersion: request.httpVersion,
    rawHeaders: request.rawHeaders,
    body,
    sourceIp: request.socket.remoteAddress ?? '',
    port: request.socket.localPort ?? 0,
  };
  const event = proxyEvent(raw, match, { apiName: options.api.name, requestId, now: new Date() });
  if (body.length > safeBodyBytes && Buffer.byteLength(JSON.stringify(event)) > maxEventBytes) {
    return bodyTooLarge();
  }
  return invoke(match, event, options);
}

async function invoke(
  { route }: RouteMatch,
  event: object,
  { functions, log }: GatewayOptions,
): Promise<GatewayResponse> {
  const tooLate = Promise.withResolvers<GatewayResponse>();
  const timer = setTimeout(() => tooLate.resolve(unavailable()), route.timeoutMs);
  try {
    return await Promise.race([
      functions.invoke(route.functionName, event).then(functionResponse),
      tooLate.promise,
    ]);
  } catch (error) {
    log('front', `${route.key}: ${String(error)}`);
    return error instanceof TooManyRequestsError ? unavailable() : gatewayError(500, 'Internal Server Error');
  } finally {
    clearTimeout(timer);
  }
}

function corsOf({ api }: GatewayOptions, request: CrossOriginRequest): Record<string, string> {
  return api.cors ? crossOriginHeaders(api.cors, request) : {};
}

function send(
  response: ServerResponse,
  answer: GatewayResponse,
  method: string,
  added: Record<string, string>,
): void {
  const own = Object.entries(answer.headers).filter(([name]) => !managed(name));
  response.writeHead(answer.status, { ...Object.fromEntries(own), ...added, ...lengthOf(answer) });
  response.end(method === 'HEAD' ? undefined : answer.body);
}

// The gateway ignores a function's cross-origin headers where the API has rules, and our API always has; it frames the
// answer itself.
function managed(name: string): boolean {
  return (
    name.startsWith('access-control-') || ['content-length', 'connection', 'transfer-encoding'].includes(name)
  );
}

function lengthOf({ status, body }: GatewayResponse): Record<string, string> {
  return status === 204 || status === 304 ? {} : { 'content-length': String(body.length) };
}

function headerBytes({ method = '', url = '', httpVersion, rawHeaders }: IncomingMessage): number {
  const line = `${method} ${url} HTTP/${httpVersion}`.length;
  return rawHeaders.reduce((sum, text, index) => (index % 2 === 1 ? sum + text.length : sum), line);
}

/** JSON makes six bytes of one at most, so that no event with such a body can be too large. */
const safeBodyBytes = maxEventBytes / 8;

const headersTooLarge = () => gatewayError(431, 'Request Header Fields Too Large');
const bodyTooLarge = () => gatewayError(413, 'Request Entity Too Large');
const unavailable = () => gatewayError(503, 'Service Unavailable');
