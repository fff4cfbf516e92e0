import { execFile } from 'node:child_process';
import type { RequestListener } from 'node:http';
import { Socket } from 'node:net';
import { promisify } from 'node:util';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Network, systemNetwork } from '../../../adapters/http/network.ts';
import { postWebhook } from '../../../adapters/http/post-webhook.ts';
import type { PostRequest } from '../../../core/net/ports.ts';
import { parseReachableAddresses } from '../../../core/net/reachable-address.ts';
import { aCertificate } from './certificate.ts';
import { aNetworkThatLeadsTo, aNetworkThatResolves, loopback } from './networks.ts';
import { aClosedPort, anHttpServer, anHttpsServer, aTcpServer } from './servers.ts';

const generous = { connectMs: 60_000, totalMs: 60_000, maxResponseBytes: 65_536 };
const now = () => 0;

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
});

function aPost(more: Partial<PostRequest> & { url: string }): PostRequest {
  return {
    headers: { 'content-type': 'application/json', 'webhook-id': 'msg_1' },
    body: '{"data":"é"}',
    limits: generous,
    schemes: ['http', 'https'],
    reachable: loopback,
    ...more,
  };
}

async function answerOf(listener: RequestListener, more: Partial<PostRequest> = {}) {
  const port = await anHttpServer(listener);
  return postWebhook(aPost({ url: `http://127.0.0.1:${port}/hook`, ...more }));
}

async function answerTo(raw: string, more: Partial<PostRequest> = {}) {
  const port = await aTcpServer((socket) => socket.once('data', () => socket.write(raw, 'latin1')));
  return postWebhook(aPost({ url: `http://127.0.0.1:${port}/hook`, ...more }));
}

describe('a POST that succeeds', () => {
  it('sends method, path, headers and body as they are', async () => {
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

  it('reports status, address, latency and answer', async () => {
    const times = [1_000, 1_042.4];
    const port = await anHttpServer((_request, response) => response.writeHead(202).end('thanks'));
    const outcome = await postWebhook(aPost({ url: `http://127.0.0.1:${port}/` }), {
      network: systemNetwork,
      now: () => times.shift() ?? 0,
    });
    expect(outcome).toEqual({
      ok: true,
      status: 202,
      address: '127.0.0.1',
      latencyMs: 42,
      responseBody: 'thanks',
    });
  });

  it('opens a connection of its own each time', async () => {
    const ports = new Set<number | undefined>();
    const port = await anHttpServer((request, response) => {
      ports.add(request.socket.remotePort);
      response.setHeader('connection', 'keep-alive').end();
    });
    await postWebhook(aPost({ url: `http://127.0.0.1:${port}/` }));
    await postWebhook(aPost({ url: `http://127.0.0.1:${port}/` }));
    expect(ports.size).toBe(2);
  });

  it.each([200, 201, 204, 299])('takes %i for success', async (status) => {
    expect(await answerOf((_request, response) => response.writeHead(status).end())).toMatchObject({
      ok: true,
      status,
    });
  });

  it('takes an answer of exactly the limit', async () => {
    const outcome = await answerOf((_request, response) => response.end('a'.repeat(1_000)), {
      limits: { ...generous, maxResponseBytes: 1_000 },
    });
    expect(outcome.ok).toBe(true);
  });

  it('ignores answers that only inform', async () => {
    const outcome = await answerTo(
      'HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n',
    );
    expect(outcome).toMatchObject({ ok: true, status: 200 });
  });
});

describe('the kept beginning of an answer', () => {
  it('ends after 4 KiB, before a character that the cut would split', async () => {
    const { responseBody } = await answerOf((_request, response) => response.end(`${'a'.repeat(4_095)}éb`));
    expect(responseBody).toBe('a'.repeat(4_095));
  });

  it('shows neither control characters nor what is not UTF-8', async () => {
    const body = Buffer.concat([Buffer.from('é\tb\n\x1b[31mred\0\x9b\u202e'), Buffer.from([0xff])]);
    const { responseBody } = await answerOf((_request, response) => response.end(body));
    expect(responseBody).toBe('é\tb\n\ufffd[31mred\ufffd\ufffd\ufffd\ufffd');
  });
});

describe('an answer that is a failure', () => {
  it.each([400, 401, 404, 410, 429, 500, 503])('is status %i', async (status) => {
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

  it('is one of 1 MB, and the connection ends at the limit', async () => {
    const outcome = await answerOf((_request, response) => response.end('a'.repeat(1_000_000)));
    expect(outcome).toMatchObject({ ok: false, status: 200, errorClass: 'response-too-large' });
    expect(outcome.responseBody).toBe('a'.repeat(4_096));
  });

  it('is one without end', async () => {
    const outcome = await answerOf((_request, response) => {
      const more = () => {
        while (response.write('a'.repeat(10_000)));
      };
      response.on('drain', more);
      more();
    });
    expect(outcome).toMatchObject({ ok: false, errorClass: 'response-too-large' });
  });

  it('is one that drips', async () => {
    const outcome = await answerOf(
      (_request, response) => {
        const drip = setInterval(() => response.write('.'), 5);
        response.once('close', () => clearInterval(drip));
      },
      { limits: { ...generous, totalMs: 100 } },
    );
    expect(outcome).toMatchObject({ ok: false, errorClass: 'timeout' });
  });

  it('is a status 200 whose body hangs', async () => {
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

  it('is broken chunks after a status 200', async () => {
    const outcome = await answerTo('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n');
    expect(outcome).toMatchObject({ ok: false, status: 200, errorClass: 'protocol' });
  });
});

describe('a receiver without an answer', () => {
  it('hangs', async () => {
    const outcome = await answerOf(() => {}, { limits: { ...generous, totalMs: 50 } });
    expect(outcome).toMatchObject({ ok: false, errorClass: 'timeout' });
    expect(outcome).not.toHaveProperty('status');
  });

  it('refuses connections', async () => {
    const outcome = await postWebhook(aPost({ url: `http://127.0.0.1:${await aClosedPort()}/` }));
    expect(outcome).toMatchObject({ ok: false, errorClass: 'connect' });
    expect(outcome).toHaveProperty('error', expect.stringContaining('ECONNREFUSED'));
  });

  it('cannot be connected to in time', async () => {
    const outcome = await postWebhook(
      aPost({ url: 'http://never.test/', limits: { ...generous, connectMs: 20 } }),
      { network: aNetworkThatResolves({ 'never.test': ['1.1.1.1'] }, { dial: () => new Socket() }), now },
    );
    expect(outcome).toMatchObject({ ok: false, errorClass: 'connect-timeout' });
  });

  it('has a name that takes too long to resolve', async () => {
    const network = { ...systemNetwork, resolve: () => new Promise<string[]>(() => {}) };
    const outcome = await postWebhook(
      aPost({ url: 'http://slow.test/', limits: { ...generous, connectMs: 20 } }),
      { network, now },
    );
    expect(outcome).toMatchObject({ ok: false, errorClass: 'connect-timeout' });
  });

  it.each([
    ['does not exist', {}],
    ['has no address', { 'gone.test': [] }],
  ])('has a name that %s', async (_name, names: Record<string, string[]>) => {
    const network = aNetworkThatResolves(names);
    const outcome = await postWebhook(aPost({ url: 'http://gone.test/' }), { network, now });
    expect(outcome).toMatchObject({ ok: false, errorClass: 'dns' });
  });

  it('closes the connection', async () => {
    const port = await aTcpServer((socket) => socket.once('data', () => socket.end()));
    const outcome = await postWebhook(aPost({ url: `http://127.0.0.1:${port}/` }));
    expect(outcome).toMatchObject({ ok: false, errorClass: 'reset', address: '127.0.0.1' });
  });

  it('resets the connection before, and in the middle of its answer', async () => {
    const port = await aTcpServer((socket) => socket.once('data', () => socket.resetAndDestroy()));
    const before = await postWebhook(aPost({ url: `http://127.0.0.1:${port}/` }));
    const middle = await answerOf((request, response) => {
      response.writeHead(200, { 'content-length': 10 });
      response.write('half', () => request.socket.destroy());
    });
    expect(before).toMatchObject({ ok: false, errorClass: 'reset' });
    expect(middle).toMatchObject({ ok: false, status: 200, errorClass: 'reset' });
  });

  it('is left behind when the sender must end', async () => {
    const sender = new AbortController();
    const outcome = await answerOf(() => sender.abort(), { signal: sender.signal });
    expect(outcome).toMatchObject({ ok: false, errorClass: 'aborted' });
  });

  it('has its connection closed when the time is over', async () => {
    const closed = Promise.withResolvers<void>();
    const port = await aTcpServer((socket) => socket.resume().once('close', closed.resolve));
    await postWebhook(aPost({ url: `http://127.0.0.1:${port}/`, limits: { ...generous, totalMs: 50 } }));
    await closed.promise;
  });
});

describe('addresses that may not be reached', () => {
  it.each([
    'http://127.0.0.1/',
    'http://0x7f.1/',
    'http://[::ffff:127.0.0.1]/',
    'http://169.254.169.254/latest/meta-data/',
    'http://[fd00:ec2::254]/',
    'http://localhost/',
    'ftp://example.com/',
    'https://user:hunter2@example.com/',
  ])('are refused by their text: %s', async (url) => {
    const dial = vi.fn(systemNetwork.dial);
    const network = { ...systemNetwork, dial };
    const outcome = await postWebhook(aPost({ url, reachable: [] }), { network, now });
    expect(outcome).toMatchObject({ ok: false, errorClass: 'address-forbidden' });
    expect(JSON.stringify(outcome)).not.toContain('hunter2');
    expect(dial).not.toHaveBeenCalled();
  });

  it.each([
    ['a private address', ['10.0.0.1']],
    ['loopback', ['127.0.0.1']],
    ['the metadata service', ['169.254.169.254']],
    ['a mapped address', ['::ffff:127.0.0.1']],
    ['an address with a zone', ['fe80::1%eth0']],
    ['no address at all', ['example.com']],
    ['both public and private addresses', ['1.1.1.1', '10.0.0.1']],
    ['both private and public addresses', ['::1', '2606:4700:4700::1111']],
  ])('are refused when a name resolves to %s', async (_name, addresses) => {
    const { network, dialled } = aNetworkThatLeadsTo(1, async () => addresses);
    const outcome = await postWebhook(aPost({ url: 'http://inside.test/', reachable: [] }), { network, now });
    expect(outcome).toMatchObject({
      ok: false,
      errorClass: 'address-forbidden',
      error: 'inside.test leads to an address that is not public.',
    });
    expect(dialled).toEqual([]);
  });

  it('are never dialled when a name answers differently the second time', async () => {
    const port = await anHttpServer((_request, response) => response.end());
    const answers = [['93.184.216.34'], ['127.0.0.1'], ['127.0.0.1']];
    const { network, dialled } = aNetworkThatLeadsTo(port, async () => answers.shift() ?? []);
    const url = 'http://rebind.test/';
    const first = await postWebhook(aPost({ url, reachable: [] }), { network, now });
    const second = await postWebhook(aPost({ url, reachable: [] }), { network, now });
    expect(first.ok).toBe(true);
    expect(second).toMatchObject({ ok: false, errorClass: 'address-forbidden' });
    expect(dialled).toEqual(['93.184.216.34']);
  });

  it('stay closed at another port than the listed one', async () => {
    const port = await anHttpServer((_request, response) => response.end());
    const other = await anHttpServer((_request, response) => response.end());
    const reachable = parseReachableAddresses(`127.0.0.1:${port}`);
    const listed = await postWebhook(aPost({ url: `http://127.0.0.1:${port}/`, reachable }));
    const unlisted = await postWebhook(aPost({ url: `http://127.0.0.1:${other}/`, reachable }));
    const byName = await postWebhook(aPost({ url: `http://inside.test:${other}/`, reachable }), {
      network: aNetworkThatResolves({ 'inside.test': ['127.0.0.1'] }),
      now,
    });
    expect([listed.ok, unlisted.ok, byName.ok]).toEqual([true, false, false]);
  });

  it('do not include localhost where it is listed, whatever the resolver says of it', async () => {
    const port = await anHttpServer((_request, response) => response.end());
    const reachable = parseReachableAddresses(`127.0.0.1:${port}`);
    const network = aNetworkThatResolves({ localhost: ['10.0.0.1'] });
    const outcome = await postWebhook(aPost({ url: `http://localhost:${port}/`, reachable }), {
      network,
      now,
    });
    expect(outcome).toMatchObject({ ok: true, address: '127.0.0.1' });
  });
});

describe('the real dialler', () => {
  it('connects to the judged address and looks nothing up itself', async () => {
    const port = await anHttpServer((request, response) => response.end(request.headers.host));
    const network = aNetworkThatResolves({ 'receiver.test': ['127.0.0.1'] });
    const outcome = await postWebhook(aPost({ url: `http://receiver.test:${port}/` }), { network, now });
    expect(outcome).toMatchObject({ ok: true, responseBody: `receiver.test:${port}` });
  });

  it('tries the next address when one does not answer', async () => {
    const port = await anHttpServer((_request, response) => response.end());
    const network = aNetworkThatResolves({ 'two.test': ['::1', '127.0.0.1'] });
    const outcome = await postWebhook(aPost({ url: `http://two.test:${port}/` }), { network, now });
    expect(outcome).toMatchObject({ ok: true, address: '127.0.0.1' });
  });

  // Node decides about proxies when it starts, hence a process of its own; a plain request shows that one is in force.
  it('passes by the proxies that the environment names', async () => {
    const proxy = await anHttpServer((_request, response) => response.end('by proxy'));
    const port = await anHttpServer((_request, response) => response.end('direct'));
    const script = `
      import { get } from 'node:http';
      import { text } from 'node:stream/consumers';
      import { postWebhook } from ${JSON.stringify(new URL('../../../adapters/http/post-webhook.ts', import.meta.url))};
      const { responseBody } = await postWebhook(JSON.parse(process.argv[1]));
      const plain = await new Promise((resolve) => get('http://127.0.0.1:${port}/', resolve));
      console.log(JSON.stringify([responseBody, await text(plain)]));`;
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['--input-type=module', '-e', script, JSON.stringify(aPost({ url: `http://127.0.0.1:${port}/` }))],
      { env: { HTTP_PROXY: `http://127.0.0.1:${proxy}`, NODE_USE_ENV_PROXY: '1' } },
    );
    expect(JSON.parse(stdout)).toEqual(['direct', 'by proxy']);
  });
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

  it('asks for the name of the URL and accepts its certificate', async () => {
    const outcome = await answerOverTls(good, good.cert);
    expect(outcome).toMatchObject({ ok: true, address: '127.0.0.1', responseBody: 'receiver.test' });
  });

  it.each([
    ['nobody vouches for', 'DEPTH_ZERO_SELF_SIGNED_CERT', () => [good, undefined] as const],
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
  ])('refuses a certificate that %s', async (_name, code, certificates) => {
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
    const [pair, trusted] = await certificates();
    const outcome = await answerOverTls(pair, trusted);
    expect(outcome).toMatchObject({ ok: false, errorClass: 'tls' });
    expect(outcome).toHaveProperty('error', expect.stringContaining(code));
  });

  it('fails with a server that does not speak it', async () => {
    const port = await aTcpServer((socket) =>
      socket.once('data', () => socket.end('HTTP/1.1 400 Bad\r\n\r\n')),
    );
    const outcome = await postWebhook(aPost({ url: `https://127.0.0.1:${port}/` }));
    expect(outcome).toMatchObject({ ok: false, errorClass: 'tls' });
  });

  it('counts as connecting, and its connection is closed', async () => {
    const closed = Promise.withResolvers<void>();
    const port = await aTcpServer((socket) => socket.resume().once('close', closed.resolve));
    const limits = { ...generous, connectMs: 100 };
    const outcome = await postWebhook(aPost({ url: `https://127.0.0.1:${port}/`, limits }));
    expect(outcome).toMatchObject({ ok: false, errorClass: 'connect-timeout' });
    await closed.promise;
  });
});
