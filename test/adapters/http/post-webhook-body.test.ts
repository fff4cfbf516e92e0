import type { RequestListener } from 'node:http';
import { describe, expect, it } from 'vitest';
import { systemNetwork } from '../../../adapters/http/open-connection.ts';
import { postWebhook } from '../../../adapters/http/post-webhook.ts';
import { answerOf, answerTo, aPost, generous } from './builders/posts.ts';
import { aTcpServer } from './builders/servers.ts';

const halfBody = 'HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf';

/** Sends a byte every few milliseconds and never ends. */
const dripping: RequestListener = (_request, response) => {
  const drip = setInterval(() => response.write('.'), 5);
  response.once('close', () => clearInterval(drip));
};

describe('a response with status 200 counts as success when its body', () => {
  const accepted = { ok: true, status: 200 };

  it('has 1 MB: the connection closes at the limit', async () => {
    const closed = Promise.withResolvers<void>();
    const outcome = await answerOf((_request, response) => {
      response.once('close', closed.resolve);
      response.end('a'.repeat(1_000_000));
    });
    expect(outcome).toMatchObject({ ...accepted, responseBody: 'a'.repeat(4_096) });
    await closed.promise;
  });

  it('is endless', async () => {
    const outcome = await answerOf((_request, response) => {
      const more = () => {
        while (response.write('a'.repeat(10_000)));
      };
      response.on('drain', more);
      more();
    });
    expect(outcome).toMatchObject(accepted);
  });

  it.each([
    ['bodyMs', 100],
    // The head must arrive in it.
    ['totalMs', 2_000],
  ] as const)('is slower than %s', async (limit, ms) => {
    const outcome = await answerOf(dripping, { limits: { ...generous, [limit]: ms } });
    expect(outcome).toMatchObject({ ...accepted, responseBody: expect.stringMatching(/^\.+$/) });
  });

  it('hangs: the latency includes the wait for it', async () => {
    const bodyMs = 50;
    const port = await aTcpServer((socket) => socket.once('data', () => socket.write(halfBody)));
    const outcome = await postWebhook(aPost({ url: `http://127.0.0.1:${port}/`, limits: { ...generous, bodyMs } }), {
      network: systemNetwork,
      now: () => performance.now(),
    });
    expect(outcome).toMatchObject({ ...accepted, responseBody: 'half' });
    // A timer may fire a millisecond early on another clock.
    expect(outcome.latencyMs).toBeGreaterThanOrEqual(bodyMs - 2);
  });

  it('is cut off', async () => {
    const outcome = await answerOf((request, response) => {
      response.writeHead(200, { 'content-length': 10 });
      response.write('half', () => request.socket.destroy());
    });
    expect(outcome).toMatchObject({ ...accepted, responseBody: 'half' });
  });

  it('has broken chunks', async () => {
    const outcome = await answerTo('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n');
    expect(outcome).toMatchObject(accepted);
  });

  it('is being read as the signal aborts', async () => {
    const sender = new AbortController();
    const port = await aTcpServer((socket) => socket.once('data', () => socket.write(halfBody)));
    const dial: typeof systemNetwork.dial = (target) =>
      systemNetwork.dial(target).on('data', () => setImmediate(() => sender.abort()));
    const outcome = await postWebhook(aPost({ url: `http://127.0.0.1:${port}/`, signal: sender.signal }), {
      network: { ...systemNetwork, dial },
      now: () => 0,
    });
    expect(outcome).toMatchObject(accepted);
  });
});
