import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { ClauseViolation } from './expectation.ts';

/** A received request. Times are milliseconds of the monotonic clock. */
export type ReceivedPost = {
  method: string;
  contentType: string;
  webhookId: string | undefined;
  body: string;
  arrivedAtMs: number;
  /** Just before the response was sent, so that no attempt of the sender can have ended earlier. */
  answeredAtMs: number;
};

/** A response status. `hang-up` closes the connection without a response. */
export type Reply = number | 'hang-up';

export type Inbox = {
  url: string;
  posts: readonly ReceivedPost[];
  /** Resolves after `count` requests. Throws ClauseViolation after `withinMs`. */
  waitForPosts(count: number, withinMs: number): Promise<ReceivedPost[]>;
};

export type Receiver = {
  /** @param replies to the first request, the second and so on; the last one to all further requests */
  inbox(replies?: readonly Reply[]): Inbox;
  close(): Promise<void>;
};

type Box = { replies: readonly Reply[]; posts: ReceivedPost[]; begun: number };

/**
 * Starts the webhook receiver of the suite, on the loopback interface.
 *
 * @param url under which the stage reaches it; if `port` is 0, the port that was chosen is appended
 */
export async function startReceiver({ url, port }: { url: string; port: number }): Promise<Receiver> {
  const boxes = new Map<string, Box>();
  const server = createServer((request, response) => {
    const box = boxes.get(request.url ?? '');
    if (box) receive(box, request, response).catch(() => response.destroy());
    else response.writeHead(404).end();
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const base = port === 0 ? `${url}:${(server.address() as AddressInfo).port}` : url;
  return {
    inbox: (replies = [200]) => {
      const path = `/${randomUUID()}`;
      const box: Box = { replies, posts: [], begun: 0 };
      boxes.set(path, box);
      return { url: base + path, posts: box.posts, waitForPosts: (count, ms) => arrived(box, count, ms) };
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

async function receive(box: Box, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const arrivedAtMs = performance.now();
  const reply = box.replies[Math.min(box.begun++, box.replies.length - 1)] ?? 200;
  const body = await text(request);
  const answeredAtMs = performance.now();
  if (reply === 'hang-up') request.socket.destroy();
  else {
    response.writeHead(reply).end();
    await once(response, 'close');
  }
  const { method = '', headers } = request;
  const contentType = headers['content-type'] ?? '';
  const webhookId = headers['webhook-id']?.toString();
  box.posts.push({ method, contentType, webhookId, body, arrivedAtMs, answeredAtMs });
}

async function arrived({ posts }: Box, count: number, withinMs: number): Promise<ReceivedPost[]> {
  const deadline = performance.now() + withinMs;
  while (posts.length < count) {
    if (performance.now() > deadline) {
      throw new ClauseViolation(`${posts.length} of ${count} webhooks arrived within ${withinMs / 1000} s`);
    }
    await sleep(20);
  }
  return [...posts];
}
