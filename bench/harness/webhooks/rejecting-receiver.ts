import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** One attempt as its receiver saw it: when the request arrived and when it was answered, in ms of one clock. */
export type ReceivedAttempt = { arrivedAt: number; answeredAt: number };

export type RejectingReceiver = {
  urlFor(id: string): string;
  /** The attempts at one URL, once so many have been answered. */
  attemptsAt(id: string, count: number): Promise<ReceivedAttempt[]>;
  close(): Promise<void>;
};

/** A receiver on the loopback interface that answers 503 to all, and notes when, by a clock finer than milliseconds. */
export async function rejectingReceiver(now: () => number): Promise<RejectingReceiver> {
  const seen = new Map<string, ReceivedAttempt[]>();
  const waiting = new Map<string, () => void>();
  const server = createServer((request, response) => {
    const arrivedAt = now();
    const id = request.url?.slice(1) ?? '';
    request.resume();
    request.once('end', () => {
      // Before the answer goes out: its sender may have it before this process hears that it went.
      seen.set(id, [...(seen.get(id) ?? []), { arrivedAt, answeredAt: now() }]);
      response.writeHead(503).end();
      waiting.get(id)?.();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    urlFor: (id) => `http://127.0.0.1:${port}/${id}`,
    attemptsAt: async (id, count) => {
      while ((seen.get(id)?.length ?? 0) < count) {
        await new Promise<void>((resolve) => waiting.set(id, resolve));
      }
      waiting.delete(id);
      return seen.get(id) ?? [];
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
