import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * @param port 0 for any free port
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
