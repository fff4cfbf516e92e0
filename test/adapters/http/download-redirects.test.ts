import { readFile, rm } from 'node:fs/promises';
import type { RequestListener } from 'node:http';
import { describe, expect, it } from 'vitest';
import { downloadInput } from '../../../adapters/http/download-input.ts';
import { parseReachableAddresses } from '../../../core/net/check-url.ts';
import { aCertificate } from './builders/certificate.ts';
import { downloads, generous } from './builders/downloads.ts';
import { aNetworkThatLeadsTo, aNetworkThatResolves } from './builders/networks.ts';
import { anHttpServer, anHttpsServer } from './builders/servers.ts';

const { path, aDownload, downloadFrom, failureOf } = downloads();

describe('redirects', () => {
  const follow =
    (targets: Record<string, string>, status = 302): RequestListener =>
    (request, response) => {
      const location = targets[request.url ?? ''];
      if (location === undefined) response.end(request.url);
      else response.writeHead(status, { location }).end('moved');
    };

  it.each([301, 302, 303, 307, 308])('are followed with status %i', async (status) => {
    await downloadFrom(follow({ '/a.mp4': '/b.mp4?x=1' }, status));
    expect(await readFile(path(), 'utf8')).toBe('/b.mp4?x=1');
  });

  it.each([
    [Buffer.from('/b/é.mp4').toString('latin1'), '/b/%c3%a9.mp4'],
    ['/b/é.mp4', '/b/%e9.mp4'],
    ['  b c.mp4?d e  ', '/b%20c.mp4?d%20e'],
    ['../../b%2fc.mp4#t=1', '/b%2fc.mp4'],
    ['?b', '/a.mp4?b'],
  ])('to %j are followed as browsers do', async (location, expected) => {
    await downloadFrom(follow({ '/a.mp4': location }));
    expect(await readFile(path(), 'utf8')).toBe(expected);
  });

  it('are followed to a signed URL that is longer than the URL of a request may be', async () => {
    const signed = (characters: number) => `/b.mp4?X-Amz-Security-Token=${'a'.repeat(characters)}`;
    await downloadFrom(follow({ '/a.mp4': signed(4_000) }));
    expect(await readFile(path(), 'utf8')).toBe(signed(4_000));
    const failure = await failureOf(downloadFrom(follow({ '/a.mp4': signed(8_192) })));
    expect(failure.code).toBe('INPUT_FORBIDDEN');
    expect(failure.message).toContain('The URL is longer than 8192 characters');
  });

  it('are followed twenty times at most', async () => {
    const hops = Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`/${n + 1}`, `/${n + 2}`]));
    expect((await downloadFrom(follow({ '/a.mp4': '/2', ...hops }))).bytes).toBe(3);
    const failure = await failureOf(rm(path()).then(() => downloadFrom(follow({ '/a.mp4': '/1', ...hops }))));
    expect(failure).toMatchObject({ code: 'INPUT_UNREACHABLE', retryable: false });
    expect(failure.message).toContain('redirects more than 20 times');
  });

  it('that lead to no answer in time fail, however quick each one is', async () => {
    const limits = { ...generous, idleMs: 20 };
    const failure = await failureOf(
      downloadFrom(
        (_request, response) => void setTimeout(() => response.writeHead(302, { location: '/' }).end(), 15),
        { limits },
      ),
    );
    expect(failure).toMatchObject({ code: 'INPUT_UNREACHABLE', retryable: true });
  });

  it('are not read: the connection closes after the response head', async () => {
    const closed = Promise.withResolvers<void>();
    await downloadFrom((request, response) => {
      if (request.url !== '/a.mp4') return response.end('abc');
      request.socket.once('close', closed.resolve);
      return response.writeHead(302, { location: '/b.mp4' }).flushHeaders();
    });
    await closed.promise;
  });

  it.each([
    'http://127.0.0.1:1/',
    'http://169.254.169.254/latest/meta-data/',
    'http://user:hunter2@example.com/',
    'file:///etc/passwd',
    'http://exa<mple/',
  ])('to %s are rejected', async (location) => {
    const port = await anHttpServer((_request, response) => response.writeHead(302, { location }).end());
    const reachable = parseReachableAddresses(`127.0.0.1:${port}`);
    const download = downloadInput(aDownload({ url: `http://127.0.0.1:${port}/`, reachable }));
    const failure = await failureOf(download);
    expect(failure).toMatchObject({ code: 'INPUT_FORBIDDEN', retryable: false });
    expect(failure.message).not.toContain('hunter2');
  });

  it('to a name that resolves to a private address are rejected, and it is never dialled', async () => {
    const port = await anHttpServer((_request, response) =>
      response.writeHead(302, { location: 'http://inside.test/' }).end(),
    );
    const names: Record<string, string[]> = { 'outside.test': ['1.1.1.1'], 'inside.test': ['10.0.0.1'] };
    const { network, dialled } = aNetworkThatLeadsTo(port, async (name) => names[name] ?? []);
    const failure = await failureOf(downloadInput(aDownload({ url: 'http://outside.test/', reachable: [] }), network));
    expect(failure).toMatchObject({
      code: 'INPUT_FORBIDDEN',
      message: 'inside.test leads to an address that is not public',
      retryable: false,
    });
    expect(dialled).toEqual(['1.1.1.1']);
  });

  it('to the same name are checked again: a name that now resolves elsewhere is rejected', async () => {
    const port = await anHttpServer((_request, response) => response.writeHead(302, { location: '/again' }).end());
    const answers = [['1.1.1.1'], ['169.254.169.254']];
    const { network, dialled } = aNetworkThatLeadsTo(port, async () => answers.shift() ?? []);
    const url = 'http://rebind.test/';
    const failure = await failureOf(downloadInput(aDownload({ url, reachable: [] }), network));
    expect(failure.code).toBe('INPUT_FORBIDDEN');
    expect(dialled).toEqual(['1.1.1.1']);
  });

  it('from https to http are rejected', async () => {
    const pair = await aCertificate({ hostname: 'files.test' });
    const plain = await anHttpServer((_request, response) => response.end());
    const port = await anHttpsServer(pair, (_request, response) =>
      response.writeHead(302, { location: `http://files.test:${plain}/` }).end(),
    );
    const network = aNetworkThatResolves({ 'files.test': ['127.0.0.1'] }, { trustedCertificates: pair.cert });
    const failure = await failureOf(downloadInput(aDownload({ url: `https://files.test:${port}/` }), network));
    expect(failure.code).toBe('INPUT_FORBIDDEN');
    expect(failure.message).toContain('from https to http');
  });
});

describe('an input with a forbidden address', () => {
  it.each(['http://127.0.0.1/', 'ftp://example.com/'])('is rejected by its text: %s', async (url) => {
    const failure = await failureOf(downloadInput(aDownload({ url, reachable: [] })));
    expect(failure).toMatchObject({ code: 'INPUT_FORBIDDEN', retryable: false });
  });

  it('is rejected by the addresses of its name', async () => {
    const network = aNetworkThatResolves({ 'mixed.test': ['1.1.1.1', '127.0.0.1'] });
    const failure = await failureOf(downloadInput(aDownload({ url: 'http://mixed.test/', reachable: [] }), network));
    expect(failure).toMatchObject({ code: 'INPUT_FORBIDDEN', retryable: false });
  });
});
