import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type LoopbackServer = {
  origin: string;
  /** Cuts every connection and resolves when no answer is under way any more. */
  close(): Promise<void>;
};

/** Answers requests of this machine at a free port. `answer` must not reject. */
export async function listenOnLoopback(
  answer: (request: IncomingMessage, response: ServerResponse) => Promise<void>,
): Promise<LoopbackServer> {
  const answers = new Set<Promise<void>>();
  const server = createServer((request, response) => {
    const answering = answer(request, response).finally(() => answers.delete(answering));
    answers.add(answering);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
      await Promise.all(answers);
    },
  };
}
