import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { postWebhook } from '../../../adapters/http/post-webhook.ts';
import { aCertificate } from './builders/certificate.ts';
import { aNetworkThatResolves } from './builders/networks.ts';
import { aPost, generous, now } from './builders/posts.ts';
import { anHttpsServer, aTcpServer } from './builders/servers.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

describe('TLS', () => {
  let good: { cert: string; key: string };
  beforeAll(async () => {
    good = await aCertificate({ hostname: 'receiver.test' });
  });

  async function answerOverTls(pair: { cert: string; key: string }, trustedCertificates: string | undefined) {
    const port = await anHttpsServer(pair, (request, response) => {
      response.end('servername' in request.socket ? String(request.socket.servername) : '');
    });
    const network = aNetworkThatResolves(
      { 'receiver.test': ['127.0.0.1'] },
      trustedCertificates === undefined ? {} : { trustedCertificates },
    );
    return postWebhook(aPost({ url: `https://receiver.test:${port}/` }), { network, now });
  }

  it('sends the host of the URL as SNI and accepts its certificate', async () => {
    const outcome = await answerOverTls(good, good.cert);
    expect(outcome).toMatchObject({ ok: true, address: '127.0.0.1', responseBody: 'receiver.test' });
  });

  it.each([
    ['is self-signed', 'DEPTH_ZERO_SELF_SIGNED_CERT', () => [good, undefined] as const],
    [
      'is for another name',
      'ERR_TLS_CERT_ALTNAME_INVALID',
      async () => {
        const other = await aCertificate({ hostname: 'other.test' });
        return [other, other.cert] as const;
      },
    ],
    [
      'has expired',
      'CERT_HAS_EXPIRED',
      async () => {
        const old = await aCertificate({ hostname: 'receiver.test', isExpired: true });
        return [old, old.cert] as const;
      },
    ],
  ])('rejects a certificate that %s', async (_name, code, certificates) => {
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
    const [pair, trusted] = await certificates();
    const outcome = await answerOverTls(pair, trusted);
    expect(outcome).toMatchObject({ ok: false, errorClass: 'tls' });
    expect(outcome).toHaveProperty('error', expect.stringContaining(code));
  });

  it('fails if the server does not support it', async () => {
    const port = await aTcpServer((socket) => socket.once('data', () => socket.end('HTTP/1.1 400 Bad\r\n\r\n')));
    const outcome = await postWebhook(aPost({ url: `https://127.0.0.1:${port}/` }));
    expect(outcome).toMatchObject({ ok: false, errorClass: 'tls' });
  });

  it('counts towards the connect time limit, and closes the connection', async () => {
    const closed = Promise.withResolvers<void>();
    const port = await aTcpServer((socket) => socket.resume().once('close', closed.resolve));
    const limits = { ...generous, connectMs: 100 };
    const outcome = await postWebhook(aPost({ url: `https://127.0.0.1:${port}/`, limits }));
    expect(outcome).toMatchObject({ ok: false, errorClass: 'connect-timeout' });
    await closed.promise;
  });
});
