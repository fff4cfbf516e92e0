import { randomBytes } from 'node:crypto';
import { readFile, rm, symlink, writeFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { aClosedPort } from '@media-jobs/testing/a-closed-port';
import { describe, expect, it } from 'vitest';
import { downloadInput } from '../../../adapters/http/download-input.ts';
import { aCertificate } from './builders/certificate.ts';
import { downloads, generous, networkWithoutPauses } from './builders/downloads.ts';
import { aNetworkThatResolves } from './builders/networks.ts';
import { anHttpServer, anHttpsServer, aTcpServer } from './builders/servers.ts';

const { path, remains, aDownload, downloadFrom, failureOf } = downloads();

describe('a download', () => {
  it('writes the exact bytes and returns their number', async () => {
    const file = randomBytes(300_000);
    const progress: unknown[] = [];
    const port = await anHttpServer((_request, response) => {
      response.writeHead(200, { 'content-length': file.length, 'content-type': 'Video/MP4; codecs=x' }).end(file);
    });
    const url = `http://127.0.0.1:${port}/a.mp4?signature=s#t=1`;
    const download = await downloadInput(aDownload({ url, onProgress: (done) => progress.push(done) }));
    expect(download).toEqual({ bytes: 300_000 });
    expect((await readFile(path())).equals(file)).toBe(true);
    expect(progress.at(-1)).toEqual({ bytes: 300_000, totalBytes: 300_000 });
  });

  it('requests identity encoding and sends a user agent', async () => {
    const requested = Promise.withResolvers<IncomingMessage>();
    await downloadFrom((request, response) => {
      requested.resolve(request);
      response.end('a');
    });
    const { headers, url, method } = await requested.promise;
    expect({ method, url }).toEqual({ method: 'GET', url: '/a.mp4' });
    expect(headers).toMatchObject({ 'accept-encoding': 'identity', 'user-agent': 'media-jobs/test' });
    expect(headers).not.toHaveProperty('range');
  });

  it('replaces a longer file', async () => {
    await writeFile(path(), 'a long text of before');
    await downloadFrom((_request, response) => response.end('new'));
    expect(await readFile(path(), 'utf8')).toBe('new');
  });

  it('accepts a file of unknown length and an empty file', async () => {
    const chunked = await downloadFrom((_request, response) => {
      response.write('ab');
      response.end('c');
    });
    expect(chunked.bytes).toBe(3);
    const empty = await downloadFrom((_request, response) => response.setHeader('content-length', 0).end());
    expect(empty.bytes).toBe(0);
  });

  it('uses TLS with a valid certificate', async () => {
    const pair = await aCertificate({ hostname: 'files.test' });
    const port = await anHttpsServer(pair, (_request, response) => response.end('abc'));
    const names = { 'files.test': ['127.0.0.1'] };
    const url = `https://files.test:${port}/`;
    const trusting = aNetworkThatResolves(names, { trustedCertificates: pair.cert });
    expect((await downloadInput(aDownload({ url }), trusting)).bytes).toBe(3);

    const failure = await failureOf(
      rm(path()).then(() => downloadInput(aDownload({ url }), aNetworkThatResolves(names))),
    );
    expect(failure).toMatchObject({ code: 'INPUT_UNREACHABLE', retryable: false });
    expect(failure.message).toContain('DEPTH_ZERO_SELF_SIGNED_CERT');
  });

  it('rejects with the reason of its signal and leaves no file', async () => {
    const caller = new AbortController();
    const reason = new Error('cancelled');
    const download = downloadFrom((_request, response) => response.write('a'.repeat(1_000)), {
      signal: caller.signal,
      onProgress: () => caller.abort(reason),
    });
    await expect(download).rejects.toBe(reason);
    expect(await remains()).toEqual([]);
  });
});

describe('an unreachable input', () => {
  it.each([
    [401, 'Unauthorized', false],
    [403, 'Forbidden', false],
    [404, 'Not Found', false],
    [410, 'Gone', false],
    [429, 'Too Many Requests', true],
    [500, 'Internal Server Error', true],
    [503, 'Service Unavailable', true],
    [204, 'No Content', false],
    [206, 'Partial Content', false],
    [302, 'Found', false],
    [304, 'Not Modified', false],
  ])('is reported for status %i', async (status, phrase, retryable) => {
    const failure = await failureOf(
      downloadFrom((_request, response) => response.writeHead(status, 'secret phrase').end('secret')),
    );
    expect(failure).toMatchObject({ code: 'INPUT_UNREACHABLE', retryable });
    expect(failure.message).toMatch(new RegExp(`^127.0.0.1:\\d+ answered ${status} ${phrase}$`));
  });

  it('is reported for a closed port', async () => {
    const url = `http://127.0.0.1:${await aClosedPort()}/`;
    expect(await failureOf(downloadInput(aDownload({ url }), networkWithoutPauses))).toMatchObject({
      code: 'INPUT_UNREACHABLE',
      retryable: true,
    });
  });

  it.each([
    ['ENOTFOUND', false],
    ['EAI_AGAIN', true],
  ])('is reported for a name that does not resolve: %s', async (code, retryable) => {
    const resolve = () => Promise.reject(Object.assign(new Error(code), { code }));
    const failure = await failureOf(
      downloadInput(aDownload({ url: 'http://gone.test/' }), { ...networkWithoutPauses, resolve }),
    );
    expect(failure).toMatchObject({
      code: 'INPUT_UNREACHABLE',
      message: `The name gone.test could not be resolved (${code})`,
      retryable,
    });
  });

  it('is reported for a server without HTTP', async () => {
    const port = await aTcpServer((socket) => socket.once('data', () => socket.write('garbage\r\n\r\n')));
    const url = `http://127.0.0.1:${port}/`;
    expect(await failureOf(downloadInput(aDownload({ url }), networkWithoutPauses))).toMatchObject({
      code: 'INPUT_UNREACHABLE',
      retryable: false,
    });
  });

  it('is reported for a server that never answers', async () => {
    const limits = { ...generous, idleMs: 50 };
    expect(await failureOf(downloadFrom(() => {}, { limits }))).toMatchObject({
      code: 'INPUT_UNREACHABLE',
      message: expect.stringContaining('did not answer within 0.05 s'),
      retryable: true,
    });
  });
});

describe('an input that is too large or too slow', () => {
  it('is rejected by its Content-Length before its body is read', async () => {
    const limits = { ...generous, maxBytes: 1_000 };
    const failure = await failureOf(
      downloadFrom((_request, response) => response.writeHead(200, { 'content-length': 1_001 }).flushHeaders(), {
        limits,
      }),
    );
    expect(failure).toMatchObject({ code: 'INPUT_TOO_LARGE', retryable: false });
    expect(failure.message).toBe('The input has 1001 bytes; the limit is 1000 bytes');
  });

  it('is stopped at the limit if it has no end', async () => {
    const limits = { ...generous, maxBytes: 1_000_000 };
    const failure = await failureOf(
      downloadFrom(
        (_request, response) => {
          const more = () => {
            while (response.write(Buffer.alloc(65_536)));
          };
          response.on('drain', more);
          more();
        },
        { limits },
      ),
    );
    expect(failure).toMatchObject({ code: 'INPUT_TOO_LARGE', retryable: false });
    expect(failure.message).toContain('the limit is 1000000 bytes');
  });

  it('is rejected permanently if the disk is full, with the size of the disk', async () => {
    await symlink('/dev/full', path());
    const failure = await failureOf(downloadFrom((_request, response) => response.end('abc')));
    expect(failure).toMatchObject({ code: 'INPUT_TOO_LARGE', retryable: false });
    expect(failure.message).toContain('which is 10 GB for a Lambda function');
  });

  it('is accepted at exactly the limit', async () => {
    const limits = { ...generous, maxBytes: 3 };
    const announced = await downloadFrom((_request, response) => response.end('abc'), { limits });
    const chunked = await downloadFrom((_request, response) => response.write('abc', () => response.end()), { limits });
    expect([announced.bytes, chunked.bytes]).toEqual([3, 3]);
  });

  it('fails if it stalls and cannot be resumed', async () => {
    const limits = { ...generous, idleMs: 50 };
    const failure = await failureOf(downloadFrom((_request, response) => response.write('a'), { limits }));
    expect(failure).toMatchObject({ code: 'INPUT_UNREACHABLE', retryable: true });
  });

  it('fails if it exceeds the total time limit', async () => {
    const limits = { ...generous, totalMs: 100 };
    const failure = await failureOf(
      downloadFrom(
        (_request, response) => {
          const drip = setInterval(() => response.write('.'), 5);
          response.once('close', () => clearInterval(drip));
        },
        { limits },
      ),
    );
    expect(failure).toMatchObject({ code: 'INPUT_UNREACHABLE', retryable: true });
    expect(failure.message).toBe('The input did not arrive within 0.1 s');
  });
});
