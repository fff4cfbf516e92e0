import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { closeServer, listenOnLoopback } from '@media-jobs/local-stage/http';

type HttpRequest = { method: string; path: string; headers: Record<string, string>; body: Buffer<ArrayBufferLike> };

type ProxyResponse = { status: number; headers: Headers; body: Buffer<ArrayBufferLike> };

type Forward = (request: HttpRequest) => Promise<ProxyResponse>;

/** Handles a request: may change the response, or answer without forwarding. */
export type Alteration = (request: HttpRequest, forward: Forward) => Promise<ProxyResponse>;

type Proxy = { origin: string; stop(): Promise<void> };

/** A proxy of the origin `target` on the loopback interface. If forwarding fails, it closes the connection. */
export async function startProxy(target: string, alteration: Alteration): Promise<Proxy> {
  const forward: Forward = (request) => send(target, request);
  const server = createServer((message, response) => {
    handle(message, response).catch(() => message.socket.destroy());
  });
  // A client must not reuse a connection that is being closed.
  server.keepAliveTimeout = 120_000;
  async function handle(message: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url: path = '' } = message;
    const request = { method, path, headers: headersOf(message), body: await buffer(message) };
    const { status, headers, body } = await alteration(request, forward);
    for (const [name, value] of headers) if (!isOfConnection(name)) response.setHeader(name, value);
    response.writeHead(status).end(body);
  }
  return { origin: `http://127.0.0.1:${await listenOnLoopback(server)}`, stop: () => closeServer(server) };
}

async function send(target: string, { method, path, headers, body }: HttpRequest) {
  const response = await fetch(target + path, {
    method,
    headers,
    redirect: 'manual',
    ...(body.length === 0 ? {} : { body: new Uint8Array(body) }),
  });
  const { status } = response;
  return { status, headers: new Headers(response.headers), body: Buffer.from(await response.arrayBuffer()) };
}

function headersOf({ headers }: IncomingMessage): Record<string, string> {
  const sent = Object.entries(headers).filter(([name]) => !isOfConnection(name) && name !== 'host');
  return Object.fromEntries(sent.map(([name, value]) => [name, String(value)]));
}

function isOfConnection(name: string): boolean {
  return ['connection', 'keep-alive', 'transfer-encoding', 'content-length'].includes(name);
}

export type Json = Record<string, unknown>;

/** The requests whose responses are altered, such as `GET /api/v1/recipes`. */
type Route = `${string} /${string}`;

/** Forwards everything unchanged. */
export const unchanged: Alteration = (request, forward) => forward(request);

/** Changes the JSON of a route's responses. */
export function changingResponse(route: Route, change: (body: Json) => void): Alteration {
  return on(route, async (request, forward) => {
    const response = await forward(request);
    const body = JSON.parse(response.body.toString()) as Json;
    change(body);
    return { ...response, body: Buffer.from(JSON.stringify(body)) };
  });
}

/** Answers a route with a status and an empty body, without forwarding. */
export function instead(route: Route, status: number): Alteration {
  return on(route, async () => ({ status, headers: new Headers(), body: Buffer.from('') }));
}

function on(route: Route, alteration: Alteration): Alteration {
  return (request, forward) => {
    const isMeant = `${request.method} ${request.path.split('?')[0]}` === route;
    return isMeant ? alteration(request, forward) : forward(request);
  };
}
