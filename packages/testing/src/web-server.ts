import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterUse } from './after-use.ts';

export type ReceivedRequest = {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
  /** When its headers arrived, in Unix milliseconds. */
  at: number;
};

export type WebServer = {
  origin: string;
  /** Every request so far, oldest first. */
  requests: ReceivedRequest[];
  /** Resolves once so many requests have arrived whose path starts with `path`. */
  seen(count: number, path?: string): Promise<ReceivedRequest[]>;
  close(): Promise<void>;
};

/** A customer's web server on the loopback interface; `answer` writes each response. Closed after its use. */
export async function aWebServer(
  answer: (request: ReceivedRequest, response: ServerResponse, before: ReceivedRequest[]) => void,
): Promise<WebServer> {
  const requests: ReceivedRequest[] = [];
  const waiting = new Set<() => void>();
  const server = createServer(async (message, response) => {
    const at = Date.now();
    const { method = '', url: path = '', headers } = message;
    const body = await text(message).catch(() => undefined);
    // A request that was cut off does not count.
    if (body === undefined) return;
    const request = { method, path, headers, body, at };
    const before = requests.filter((earlier) => earlier.path === path);
    requests.push(request);
    for (const check of waiting) check();
    answer(request, response, before);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    seen: (count, path = '/') => {
      const { promise, resolve } = Promise.withResolvers<ReceivedRequest[]>();
      const check = () => {
        const found = requests.filter((request) => request.path.startsWith(path));
        if (found.length < count) return;
        waiting.delete(check);
        resolve(found);
      };
      waiting.add(check);
      check();
      return promise;
    },
    close: afterUse(async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    }),
  };
}
