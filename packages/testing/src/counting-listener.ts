import { type AddressInfo, createServer } from 'node:net';
import { afterUse } from './after-use.ts';

/** A listener on 127.0.0.1 that counts connections and closes them unanswered. */
export async function aCountingListener(): Promise<{ url: string; connections: () => number }> {
  let count = 0;
  const server = createServer((socket) => {
    count += 1;
    socket.destroy();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  afterUse(() => new Promise<void>((resolve) => server.close(() => resolve())));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/segment.ts`, connections: () => count };
}
