import type { RequestListener } from 'node:http';
import { postWebhook } from '../../../../adapters/http/post-webhook.ts';
import type { PostRequest } from '../../../../core/net/ports.ts';
import { loopback } from './networks.ts';
import { anHttpServer, aTcpServer } from './servers.ts';

/** Limits that no test reaches, even on a slow machine. */
export const generous = { connectMs: 60_000, totalMs: 60_000, bodyMs: 60_000, maxResponseBytes: 65_536 };

/** A stopped clock. */
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

/** POSTs to a server that closes with the test. */
export async function answerOf(listener: RequestListener, more: Partial<PostRequest> = {}) {
  const port = await anHttpServer(listener);
  return postWebhook(aPost({ url: `http://127.0.0.1:${port}/hook`, ...more }));
}

/** POSTs to a server that answers with raw bytes and keeps the connection open. */
export async function answerTo(raw: string, more: Partial<PostRequest> = {}) {
  const port = await aTcpServer((socket) => socket.once('data', () => socket.write(raw, 'latin1')));
  return postWebhook(aPost({ url: `http://127.0.0.1:${port}/hook`, ...more }));
}
