import type { IncomingMessage, Server } from 'node:http';
import { frontHeaders } from './http/front-headers.ts';
import { interceptRequests, listenOnLoopback } from './http-server.ts';

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

/** Whether an origin is a page that a program of this machine serves. */
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
