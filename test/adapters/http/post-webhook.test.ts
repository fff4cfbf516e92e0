import type { RequestListener } from 'node:http';
import { Socket } from 'node:net';
import { aClosedPort } from '@media-jobs/testing/a-closed-port';
import { describe, expect, it } from 'vitest';
import { systemNetwork } from '../../../adapters/http/open-connection.ts';
import { postWebhook } from '../../../adapters/http/post-webhook.ts';
import { aNetworkThatResolves } from './builders/networks.ts';
import { answerOf, answerTo, aPost, generous, now } from './builders/posts.ts';
import { anHttpServer, aTcpServer } from './builders/servers.ts';

describe('a successful POST', () => {
  it('sends method, path, headers and body unchanged', async () => {
    const received = Promise.withResolvers<unknown>();
    const port = await anHttpServer(async (request, response) => {
      const body = Buffer.concat(await request.toArray()).toString();
      const { host, connection, 'webhook-id': id, 'content-length': length } = request.headers;
      received.resolve({ method: request.method, url: request.url, host, connection, id, length, body });
      response.end();
    });
    await postWebhook(aPost({ url: `http://127.0.0.1:${port}/hook?a=b#c` }));
    expect(await received.promise).toEqual({
      method: 'POST',
      url: '/hook?a=b',
      host: `127.0.0.1:${port}`,
      connection: 'close',
      id: 'msg_1',
      length: '13',
      body: '{"data":"é"}',
    });
  });

  it('returns status, address, latency and response', async () => {
    const times = [1_000, 1_042.4];
    const port = await anHttpServer((_request, response) => response.writeHead(202).end('thanks'));
    const outcome = await postWebhook(aPost({ url: `http://127.0.0.1:${port}/` }), {
      network: systemNetwork,
      now: () => times.shift() ?? 0,
    });
    expect(outcome).toEqual({ ok: true, status: 202, address: '127.0.0.1', latencyMs: 42, responseBody: 'thanks' });
  });

  it('opens a new connection each time', async () => {
    const ports = new Set<number | undefined>();
    const port = await anHttpServer((request, response) => {
      ports.add(request.socket.remotePort);
      response.setHeader('connection', 'keep-alive').end();
    });
    await postWebhook(aPost({ url: `http://127.0.0.1:${port}/` }));
    await postWebhook(aPost({ url: `http://127.0.0.1:${port}/` }));
    expect(ports.size).toBe(2);
  });

  it.each([200, 201, 204, 299])('counts %i as success', async (status) => {
    expect(await answerOf((_request, response) => response.writeHead(status).end())).toMatchObject({
      ok: true,
      status,
    });
  });

  it('ignores informational responses', async () => {
    const outcome = await answerTo('HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n');
    expect(outcome).toMatchObject({ ok: true, status: 200 });
  });
});

describe('the stored excerpt of a response', () => {
  it('ends after 4 KiB, before a character that would be split', async () => {
    const { responseBody } = await answerOf((_request, response) => response.end(`${'a'.repeat(4_095)}éb`));
    expect(responseBody).toBe('a'.repeat(4_095));
  });

  it('contains neither control characters nor invalid UTF-8', async () => {
    const body = Buffer.concat([Buffer.from('é\tb\n\x1b[31mred\0\x9b\u202e'), Buffer.from([0xff])]);
    const { responseBody } = await answerOf((_request, response) => response.end(body));
    expect(responseBody).toBe('é\tb\n\ufffd[31mred\ufffd\ufffd\ufffd\ufffd');
  });
});

const drippingHead: RequestListener = (_request, { socket }) => {
  socket?.write('HTTP/1.1 200 OK\r\nX-Slow: ');
  const drip = setInterval(() => socket?.write('x'), 5);
  socket?.once('close', () => clearInterval(drip));
};

describe('a receiver that does not respond', () => {
  it.each([
    ['hangs', () => {}],
    ['drips its head', drippingHead],
  ])('is reported when it %s', async (_, listener) => {
    const outcome = await answerOf(listener, { limits: { ...generous, totalMs: 50 } });
    expect(outcome).toMatchObject({ ok: false, errorClass: 'timeout' });
    expect(outcome).not.toHaveProperty('status');
  });

  it('is reported when it rejects connections', async () => {
    const outcome = await postWebhook(aPost({ url: `http://127.0.0.1:${await aClosedPort()}/` }));
    expect(outcome).toMatchObject({ ok: false, errorClass: 'connect' });
    expect(outcome).toHaveProperty('error', expect.stringContaining('ECONNREFUSED'));
  });

  it('is reported when the connection takes too long', async () => {
    const outcome = await postWebhook(aPost({ url: 'http://never.test/', limits: { ...generous, connectMs: 20 } }), {
      network: aNetworkThatResolves({ 'never.test': ['1.1.1.1'] }, { dial: () => new Socket() }),
      now,
    });
    expect(outcome).toMatchObject({ ok: false, errorClass: 'connect-timeout' });
  });

  it('is reported when its name takes too long to resolve', async () => {
    const network = { ...systemNetwork, resolve: () => new Promise<string[]>(() => {}) };
    const outcome = await postWebhook(aPost({ url: 'http://slow.test/', limits: { ...generous, connectMs: 20 } }), {
      network,
      now,
    });
    expect(outcome).toMatchObject({ ok: false, errorClass: 'connect-timeout' });
  });

  it.each([
    ['does not exist', {}],
    ['has no address', { 'gone.test': [] }],
  ])('is reported when its name %s', async (_name, names: Record<string, string[]>) => {
    const network = aNetworkThatResolves(names);
    const outcome = await postWebhook(aPost({ url: 'http://gone.test/' }), { network, now });
    expect(outcome).toMatchObject({ ok: false, errorClass: 'dns' });
  });

  it('is reported when it closes the connection', async () => {
    const port = await aTcpServer((socket) => socket.once('data', () => socket.end()));
    const outcome = await postWebhook(aPost({ url: `http://127.0.0.1:${port}/` }));
    expect(outcome).toMatchObject({ ok: false, errorClass: 'reset', address: '127.0.0.1' });
  });

  it('is reported when it resets the connection', async () => {
    const port = await aTcpServer((socket) => socket.once('data', () => socket.resetAndDestroy()));
    const outcome = await postWebhook(aPost({ url: `http://127.0.0.1:${port}/` }));
    expect(outcome).toMatchObject({ ok: false, errorClass: 'reset' });
  });

  it('is abandoned when the signal aborts', async () => {
    const sender = new AbortController();
    const outcome = await answerOf(() => sender.abort(), { signal: sender.signal });
    expect(outcome).toMatchObject({ ok: false, errorClass: 'aborted' });
  });

  it('loses its connection at the time limit', async () => {
    const closed = Promise.withResolvers<void>();
    const port = await aTcpServer((socket) => socket.resume().once('close', closed.resolve));
    await postWebhook(aPost({ url: `http://127.0.0.1:${port}/`, limits: { ...generous, totalMs: 50 } }));
    await closed.promise;
  });
});
