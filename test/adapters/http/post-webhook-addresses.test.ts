import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it, vi } from 'vitest';
import { systemNetwork } from '../../../adapters/http/open-connection.ts';
import { postWebhook } from '../../../adapters/http/post-webhook.ts';
import { parseReachableAddresses } from '../../../core/net/check-url.ts';
import { aNetworkThatLeadsTo, aNetworkThatResolves } from './builders/networks.ts';
import { aPost, now } from './builders/posts.ts';
import { anHttpServer } from './builders/servers.ts';

describe('forbidden addresses', () => {
  it.each(['http://127.0.0.1/', 'http://169.254.169.254/latest/meta-data/', 'https://user:hunter2@example.com/'])(
    'are rejected by their text: %s',
    async (url) => {
      const dial = vi.fn(systemNetwork.dial);
      const network = { ...systemNetwork, dial };
      const outcome = await postWebhook(aPost({ url, reachable: [] }), { network, now });
      expect(outcome).toMatchObject({ ok: false, errorClass: 'address-forbidden' });
      expect(JSON.stringify(outcome)).not.toContain('hunter2');
      expect(dial).not.toHaveBeenCalled();
    },
  );

  it.each([
    ['a private address', ['10.0.0.1']],
    ['no address at all', ['example.com']],
    ['both public and private addresses', ['1.1.1.1', '10.0.0.1']],
    ['both private and public addresses', ['::1', '2606:4700:4700::1111']],
  ])('are rejected when a name resolves to %s', async (_name, addresses) => {
    const { network, dialled } = aNetworkThatLeadsTo(1, async () => addresses);
    const outcome = await postWebhook(aPost({ url: 'http://inside.test/', reachable: [] }), { network, now });
    expect(outcome).toMatchObject({
      ok: false,
      errorClass: 'address-forbidden',
      error: 'inside.test leads to an address that is not public',
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

  it('are forbidden on other ports than the listed one', async () => {
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

  it('do not include a listed localhost, whatever the resolver answers', async () => {
    const port = await anHttpServer((_request, response) => response.end());
    const reachable = parseReachableAddresses(`127.0.0.1:${port}`);
    const network = aNetworkThatResolves({ localhost: ['10.0.0.1'] });
    const outcome = await postWebhook(aPost({ url: `http://localhost:${port}/`, reachable }), { network, now });
    expect(outcome).toMatchObject({ ok: true, address: '127.0.0.1' });
  });
});

describe('the dialler of the system network', () => {
  it('connects to the checked address without another lookup', async () => {
    const port = await anHttpServer((request, response) => response.end(request.headers.host));
    const network = aNetworkThatResolves({ 'receiver.test': ['127.0.0.1'] });
    const outcome = await postWebhook(aPost({ url: `http://receiver.test:${port}/` }), { network, now });
    expect(outcome).toMatchObject({ ok: true, responseBody: `receiver.test:${port}` });
  });

  it('tries the next address if one does not answer', async () => {
    const port = await anHttpServer((_request, response) => response.end());
    const network = aNetworkThatResolves({ 'two.test': ['::1', '127.0.0.1'] });
    const outcome = await postWebhook(aPost({ url: `http://two.test:${port}/` }), { network, now });
    expect(outcome).toMatchObject({ ok: true, address: '127.0.0.1' });
  });

  // Node reads proxy settings at startup, hence a child process. A plain request shows that the proxy is used.
  it('ignores proxies of the environment', async () => {
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
