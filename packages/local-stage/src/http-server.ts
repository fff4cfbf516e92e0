import { once } from 'node:events';
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * @param port 0 for any free port
 * @returns the port
 */
export async function listenOnLoopback(server: Server, port = 0): Promise<number> {
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

/**
 * Reads the body of a request. Returns undefined for a body above `maxBytes`, but still reads it to the end, so that a
 * response can be sent.
 */
export function readBody(request: IncomingMessage, maxBytes: number): Promise<Buffer | undefined> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer | undefined>();
  const buffers: Buffer[] = [];
  let bytes = 0;
  request.on('data', (buffer: Buffer) => {
    bytes += buffer.length;
    if (bytes <= maxBytes) buffers.push(buffer);
    else resolve(undefined);
  });
  request.on('end', () => resolve(Buffer.concat(buffers)));
  request.on('error', reject);
  return promise;
}

/** Stops a server at once and closes its open connections. */
export async function closeServer(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeAllConnections();
  await closed;
}

/** Calls the original listener with the original arguments. */
type Handle = () => void;

/**
 * Replaces the request listener of a server that another package has created.
 *
 * @param around called for every request; calls `handle` to pass it to the original listener
 */
export function interceptRequests(
  server: Server,
  around: (request: IncomingMessage, response: ServerResponse, handle: Handle) => void,
): void {
  const [listener] = server.listeners('request') as RequestListener[];
  if (!listener) throw new Error('The server has no request listener.');
  server.removeAllListeners('request');
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    around(request, response, () => listener.call(server, request, response));
  });
}

/**
 * Which pages in a browser a server answers, besides its own: `none` admits programs only, `any` leaves it to the
 * cross-origin rules of the API, and a function decides by the origin. `null` is that of a request that another origin
 * redirected, and of a sandboxed page.
 */
export type AdmittedPages = 'none' | 'any' | ((origin: URL | 'null') => boolean);

/**
 * Serves on the loopback interface, for requests that are addressed to this server: a page on the web can reach every
 * port of this machine, also under a host name of its own (DNS rebinding).
 *
 * @param port 0 for any free port
 * @returns the port
 */
export async function serveOnLoopback(
  server: Server,
  { port = 0, pages }: { port?: number; pages: AdmittedPages },
): Promise<number> {
  // A server that closes an idle connection resets the request that a program sends at that moment: a function that runs
  // for longer than the time-out of Node would lose its response. Only the gateway has a time-out, that of API Gateway.
  if (pages !== 'any') server.keepAliveTimeout = 0;
  const actualPort = await listenOnLoopback(server, port);
  rejectForeignRequests(server, { port: actualPort, pages });
  return actualPort;
}

/** Answers 403 to every request with another Host, or from a page that is not admitted. */
export function rejectForeignRequests(server: Server, { port, pages }: { port: number; pages: AdmittedPages }): void {
  const hosts = [`127.0.0.1:${port}`, `localhost:${port}`];
  interceptRequests(server, (request, response, handle) => {
    const problem = findForeignHeader(request, { hosts, pages });
    if (problem === undefined) return handle();
    request.resume();
    response.writeHead(403, { 'content-type': 'application/json', ...frontHeaders });
    response.end(JSON.stringify({ message: problem }));
  });
}

export function isLoopbackOrigin(origin: URL | 'null'): origin is URL {
  if (origin === 'null') return false;
  return origin.protocol === 'http:' && ['127.0.0.1', 'localhost'].includes(origin.hostname);
}

function findForeignHeader(
  { rawHeaders, headers }: IncomingMessage,
  { hosts, pages }: { hosts: readonly string[]; pages: AdmittedPages },
): string | undefined {
  const sent = rawHeaders.filter((_, index) => rawHeaders[index - 1]?.toLowerCase() === 'host' && index % 2 === 1);
  if (sent.length !== 1 || !hosts.includes(sent[0] ?? '')) {
    return `Forbidden: this server answers requests to ${hosts.join(' or ')} only.`;
  }
  if (pages === 'any') return undefined;
  const { origin } = headers;
  const isFromBrowser = origin !== undefined || headers['sec-fetch-site'] !== undefined;
  if (pages === 'none') return isFromBrowser ? 'Forbidden: this server answers programs, not pages.' : undefined;
  if (origin === undefined || hosts.includes(origin.replace(/^http:\/\//, ''))) return undefined;
  const parsed = origin === 'null' ? origin : URL.parse(origin);
  return parsed !== null && pages(parsed) ? undefined : 'Forbidden: this server does not answer pages of this origin.';
}

/**
 * Headers that the response headers policy of a deployment's CloudFront distribution adds to what the API answers: a
 * browser that opens a response executes nothing and guesses no type.
 */
export const frontHeaders = {
  'content-security-policy': "sandbox; default-src 'none'",
  'x-content-type-options': 'nosniff',
} as const;
