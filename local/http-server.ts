import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * Listens on the loopback interface only.
 *
 * @param port 0 for any free one
 * @returns the port
 */
export async function listenOnLoopback(server: Server, port = 0): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      server.off('error', reject);
      resolve();
    });
  });
  return (server.address() as AddressInfo).port;
}

/**
 * The body of a request, or undefined when it is larger than `mostBytes`: then the rest is read and dropped, so that
 * the request can still be answered.
 */
export function readBody(request: IncomingMessage, mostBytes: number): Promise<Buffer | undefined> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer | undefined>();
  const chunks: Buffer[] = [];
  let size = 0;
  request.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size <= mostBytes) chunks.push(chunk);
    else resolve(undefined);
  });
  request.on('end', () => resolve(Buffer.concat(chunks)));
  request.on('error', reject);
  return promise;
}

/** Stops a server at once, open connections included. */
export async function closeServer(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeAllConnections();
  await closed;
}

/** A server's own listener, called with what it would have been called with. */
type Handle = () => void;

/**
 * Puts something around the listener of a server that was made elsewhere.
 *
 * @param around called for every request instead; calls `handle` for the server's own listener to see it
 */
export function interceptRequests(
  server: Server,
  around: (request: IncomingMessage, response: ServerResponse, handle: Handle) => void,
): void {
  const [listener] = server.listeners('request') as RequestListener[];
  if (!listener) throw new Error('The server has no listener for requests.');
  server.removeAllListeners('request');
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    around(request, response, () => listener.call(server, request, response));
  });
}
