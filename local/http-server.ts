import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * Listens on the loopback interface only.
 *
 * @param port 0 for any free one
 * @returns the port
 */
export async function listen(server: Server, port = 0): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      server.off('error', reject);
      resolve();
    });
  });
  return (server.address() as AddressInfo).port;
}

/** Stops a server at once, open connections included. */
export async function close(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeAllConnections();
  await closed;
}
