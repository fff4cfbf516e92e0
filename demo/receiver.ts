import { createServer, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';
import { closeServer, listenOnLoopback } from '../local/http-server.ts';

/** A webhook as it came: whether its signature holds, and what it says of which job. */
export type Received = { verified: boolean; jobId: string | undefined };

export type Receiver = {
  url: string;
  /** Every POST so far, refused ones included. */
  attempts(): number;
  /** Resolves with the first webhook; rejects when none has come in time. */
  first(withinMs: number): Promise<Received>;
  close(): Promise<void>;
};

/** Receives webhooks as a customer's server would, and verifies them with the `standardwebhooks` package. */
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
  const port = await listenOnLoopback(server);
  return {
    url: `http://127.0.0.1:${port}/webhook`,
    attempts: () => attempts,
    first: async (withinMs) => {
      const late = setTimeout(() => {
        arrived.reject(new Error(`No webhook came within ${withinMs / 1000} s of the job's end`));
      }, withinMs);
      return arrived.promise.finally(() => clearTimeout(late));
    },
    close: () => closeServer(server),
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
