import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { closeServer, listenOnLoopback } from '../../../local/http-server.ts';

export type HttpRequest = {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: Buffer<ArrayBufferLike>;
};

export type ProxyResponse = { status: number; headers: Headers; body: Buffer<ArrayBufferLike> };

export type Forward = (request: HttpRequest) => Promise<ProxyResponse>;

/** Handles a request: may change request and response, and forward the request any number of times. */
export type Mutation = (request: HttpRequest, forward: Forward) => Promise<ProxyResponse>;

export type Proxy = { origin: string; stop(): Promise<void> };

/** A proxy on the loopback interface. If forwarding fails, it closes the connection. */
export async function startProxy(
  targetOf: (path: string) => { origin: string; path: string },
  mutation: Mutation,
): Promise<Proxy> {
  const forward: Forward = (request) => send(targetOf(request.path), request);
  const server = createServer((message, response) => {
    handle(message, response).catch(() => message.socket.destroy());
  });
  // A client must not reuse a connection that is being closed.
  server.keepAliveTimeout = 120_000;
  async function handle(message: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url: path = '' } = message;
    const request = { method, path, headers: headersOf(message), body: await buffer(message) };
    const { status, headers, body } = await mutation(request, forward);
    for (const [name, value] of headers) if (!isOfConnection(name)) response.setHeader(name, value);
    response.writeHead(status).end(body);
  }
  return { origin: `http://127.0.0.1:${await listenOnLoopback(server)}`, stop: () => closeServer(server) };
}

async function send({ origin, path }: { origin: string; path: string }, request: HttpRequest) {
  const { method, headers, body } = request;
  const response = await fetch(origin + path, {
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
