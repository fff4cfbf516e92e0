import type { RequestListener } from 'node:http';
import { postWebhook } from '../../../../adapters/http/post-webhook.ts';
import type { PostRequest } from '../../../../core/net/ports.ts';
import { loopback } from './networks.ts';
import { anHttpServer, aTcpServer } from './servers.ts';

/** Limits that no test comes near, however slow the machine. */
export const generous = { connectMs: 60_000, totalMs: 60_000, maxResponseBytes: 65_536 };

/** A clock that stands still. */
export const now = () => 0;

export function aPost(more: Partial<PostRequest> & { url: string }): PostRequest {
  return {
    headers: { 'content-type': 'application/json', 'webhook-id': 'msg_1' },
    body: '{"data":"é"}',
    limits: generous,
    schemes: ['http', 'https'],
    reachable: loopback,
    ...more,
  };
}

/** The outcome of a POST to a server that ends with the test. */
export async function answerOf(listener: RequestListener, more: Partial<PostRequest> = {}) {
  const port = await anHttpServer(listener);
  return postWebhook(aPost({ url: `http://127.0.0.1:${port}/hook`, ...more }));
}

/** The outcome of a POST that is answered with these very bytes, the connection left open. */
export async function answerTo(raw: string, more: Partial<PostRequest> = {}) {
  const port = await aTcpServer((socket) => socket.once('data', () => socket.write(raw, 'latin1')));
  return postWebhook(aPost({ url: `http://127.0.0.1:${port}/hook`, ...more }));
}
