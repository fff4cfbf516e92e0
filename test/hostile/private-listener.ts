import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';

export type PrivateListener = { port: number; connections(): number; close(): Promise<void> };

/** A service of the private network that counts connections and closes them. */
export async function aPrivateListener(): Promise<PrivateListener> {
  let count = 0;
  const server = createServer((socket) => {
    count += 1;
    socket.destroy();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    connections: () => count,
    close: async () => {
      server.close();
      await once(server, 'close');
    },
  };
}
