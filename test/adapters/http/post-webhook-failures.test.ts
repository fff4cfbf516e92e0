import { afterEach, describe, expect, it, vi } from 'vitest';
import { type Network, systemNetwork } from '../../../adapters/http/network.ts';
import { postWebhook } from '../../../adapters/http/post-webhook.ts';
import { answerOf, answerTo, aPost, generous, now } from './builders/posts.ts';
import { aTcpServer } from './builders/servers.ts';

afterEach(() => {
  vi.useRealTimers();
});

describe('a response that counts as a failure', () => {
  it.each([400, 401, 404, 410, 429, 500, 503])('has status %i', async (status) => {
    const outcome = await answerOf((_request, response) => response.writeHead(status).end('no'));
    expect(outcome).toMatchObject({ ok: false, status, errorClass: 'http-status', responseBody: 'no' });
  });

  it.each([300, 301, 302, 303, 304, 307, 308])(
    'is the redirect %i, which is not followed',
    async (status) => {
      const followed = vi.fn();
      const outcome = await answerOf((request, response) => {
        if (request.url !== '/hook') followed();
        response.writeHead(status, { location: '/elsewhere' }).end();
      });
      expect(outcome).toMatchObject({ ok: false, status, errorClass: 'redirect' });
      expect(followed).not.toHaveBeenCalled();
    },
  );

  it('has 1 MB, and its connection closes at the limit', async () => {
    const outcome = await answerOf((_request, response) => response.end('a'.repeat(1_000_000)));
    expect(outcome).toMatchObject({ ok: false, status: 200, errorClass: 'response-too-large' });
    expect(outcome.responseBody).toBe('a'.repeat(4_096));
  });

  it('is endless', async () => {
    const outcome = await answerOf((_request, response) => {
      const more = () => {
        while (response.write('a'.repeat(10_000)));
      };
      response.on('drain', more);
      more();
    });
    expect(outcome).toMatchObject({ ok: false, errorClass: 'response-too-large' });
  });

  it('is slower than the time limit', async () => {
    const outcome = await answerOf(
      (_request, response) => {
        const drip = setInterval(() => response.write('.'), 5);
        response.once('close', () => clearInterval(drip));
      },
      { limits: { ...generous, totalMs: 100 } },
    );
    expect(outcome).toMatchObject({ ok: false, errorClass: 'timeout' });
  });

  it('has status 200 and a body that hangs', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const port = await aTcpServer((socket) => {
      socket.once('data', () => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf'));
    });
    const dial: Network['dial'] = (target) =>
      systemNetwork.dial(target).on('data', () => setImmediate(() => vi.advanceTimersByTime(60_000)));
    const outcome = await postWebhook(aPost({ url: `http://127.0.0.1:${port}/` }), {
      network: { ...systemNetwork, dial },
      now,
    });
    expect(outcome).toMatchObject({ ok: false, status: 200, errorClass: 'timeout', responseBody: 'half' });
  });

  it.each([
    ['garbage', 'garbage\r\n\r\n'],
    ['another protocol', 'SSH-2.0-OpenSSH_9.2p1\r\n'],
    ['a bad status line', 'HTTP/1.1 abc\r\n\r\n'],
    ['two lengths', 'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab'],
    [
      'length and chunks',
      'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
    ['headers without end', `HTTP/1.1 200 OK\r\nX: ${'a'.repeat(100_000)}`],
    ['a switch of protocol', 'HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n'],
  ])('is %s', async (_name, raw) => {
    expect(await answerTo(raw)).toMatchObject({ ok: false, errorClass: 'protocol', responseBody: '' });
  });

  it('has status 200 and broken chunks', async () => {
    const outcome = await answerTo('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n');
    expect(outcome).toMatchObject({ ok: false, status: 200, errorClass: 'protocol' });
  });
});
