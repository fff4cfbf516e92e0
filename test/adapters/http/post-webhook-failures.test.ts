import { describe, expect, it, vi } from 'vitest';
import { answerOf, answerTo, generous } from './builders/posts.ts';

describe('a response that counts as a failure', () => {
  it.each([400, 401, 404, 410, 429, 500, 503])('has status %i', async (status) => {
    const outcome = await answerOf((_request, response) => response.writeHead(status).end('no'));
    expect(outcome).toMatchObject({ ok: false, status, errorClass: 'http-status', responseBody: 'no' });
  });

  it('has status 413 and names the size of the body', async () => {
    const outcome = await answerOf((_request, response) => response.writeHead(413).end());
    expect(outcome).toMatchObject({
      error: expect.stringMatching(/answered 413 Payload Too Large to a body of [1-9]\d* bytes$/),
    });
  });

  it.each([300, 301, 302, 303, 304, 307, 308])('is the redirect %i, which is not followed', async (status) => {
    const followed = vi.fn();
    const outcome = await answerOf((request, response) => {
      if (request.url !== '/hook') followed();
      response.writeHead(status, { location: '/elsewhere' }).end();
    });
    expect(outcome).toMatchObject({ ok: false, status, errorClass: 'redirect' });
    expect(followed).not.toHaveBeenCalled();
  });

  it('has status 500 and a body that hangs, which is not waited for', async () => {
    const raw = 'HTTP/1.1 500 Internal Server Error\r\nContent-Length: 10\r\n\r\nhalf';
    const outcome = await answerTo(raw, { limits: { ...generous, bodyMs: 50 } });
    expect(outcome).toMatchObject({ ok: false, status: 500, errorClass: 'http-status', responseBody: 'half' });
  });

  it.each([
    ['garbage', 'garbage\r\n\r\n'],
    ['another protocol', 'SSH-2.0-OpenSSH_9.2p1\r\n'],
    ['a bad status line', 'HTTP/1.1 abc\r\n\r\n'],
    ['two lengths', 'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab'],
    ['length and chunks', 'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'],
    ['headers without end', `HTTP/1.1 200 OK\r\nX: ${'a'.repeat(100_000)}`],
    ['a switch of protocol', 'HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n'],
  ])('is %s', async (_name, raw) => {
    expect(await answerTo(raw)).toMatchObject({ ok: false, errorClass: 'protocol', responseBody: '' });
  });
});
