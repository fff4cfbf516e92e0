import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';

/** A received webhook: whether its signature is valid, and its job. */
export type Received = { verified: boolean; jobId: string | undefined };

export type Receiver = {
  url: string;
  /** Number of POSTs so far, including rejected ones. */
  attempts(): number;
  /** Resolves with the first webhook. Rejects if none arrives in time. */
  first(withinMs: number): Promise<Received>;
  close(): Promise<void>;
};

/** Starts a webhook receiver like a customer's, which verifies signatures with the `standardwebhooks` package. */
export async function startReceiver(signingSecret: string): Promise<Receiver> {
  const webhook = new Webhook(signingSecret);
  const arrived = Promise.withResolvers<Received>();
  let attempts = 0;
  const server = createServer(async (request, response) => {
    attempts += 1;
    const received = verify(webhook, await text(request), request);
    response.writeHead(received.verified ? 200 : 401).end();
    arrived.resolve(received);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/webhook`,
    attempts: () => attempts,
    first: async (withinMs) => {
      const timeout = setTimeout(() => {
        arrived.reject(new Error(`No webhook arrived within ${withinMs / 1000} s of the end of the job`));
      }, withinMs);
      return arrived.promise.finally(() => clearTimeout(timeout));
    },
    async close() {
      server.closeAllConnections();
      await once(server.close(), 'close');
    },
  };
}

function verify(webhook: Webhook, body: string, { headers }: IncomingMessage): Received {
  try {
    const payload = webhook.verify(body, headers as Record<string, string>) as { data?: { jobId?: string } };
    return { verified: true, jobId: payload.data?.jobId };
  } catch {
    return { verified: false, jobId: undefined };
  }
}
