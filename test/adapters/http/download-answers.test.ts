import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { downloadInput } from '../../../adapters/http/download-input.ts';
import { parseReachableAddresses } from '../../../core/net/check-url.ts';
import { downloads, generous, networkWithoutPauses } from './builders/downloads.ts';
import { aNetworkThatResolves } from './builders/networks.ts';
import { anHttpServer, aTcpServer } from './builders/servers.ts';

const { aDownload, downloadFrom, failureOf } = downloads();

describe('a web page in place of a file', () => {
  it.each([
    ['text/html; charset=utf-8', '\ufeff\n <!DOCTYPE html><title>Sign in</title>'],
    ['application/octet-stream', '<!doctype html>\n<html>'],
    ['video/mp4', '<html lang="en">'],
    ['text/html', '<!-- a gate --><script>go()</script>'],
    ['application/xhtml+xml', '<?xml version="1.0"?><!DOCTYPE html><html xmlns="a">'],
  ])('is named: %s', async (type, page) => {
    const failure = await failureOf(
      downloadFrom((_request, response) => response.setHeader('content-type', type).end(page)),
    );
    expect(failure).toMatchObject({ code: 'INPUT_NOT_MEDIA', retryable: false });
    expect(failure.message).toMatch(/^127\.0\.0\.1:\d+ sent a web page \(text\/html\), not a file/);
  });

  it.each([
    ['text/html', 'WEBVTT\n\n00:01.000 --> 00:02.000\n<b>Hello</b>'],
    ['text/html', '\u0000\u0000\u0000\u0018ftypmp42'],
    ['text/plain', '<b>1</b>\n00:00:01,000 --> 00:00:02,000'],
    ['nonsense; ;;', '<SAMI><HEAD>'],
    [undefined, ''],
  ])('is none: %s, %j', async (type, body) => {
    const { bytes } = await downloadFrom((_request, response) => {
      if (type !== undefined) response.setHeader('content-type', type);
      response.end(body);
    });
    expect(bytes).toBe(Buffer.byteLength(body));
  });
});

describe('the error of an object store', () => {
  const document = (code: string, message = 'A text') =>
    `<?xml version="1.0"?>\n<Error><Code>${code}</Code><Message>${message}</Message><StringToSign>canary</StringToSign></Error>`;

  it.each([
    [403, document('AccessDenied'), '403 Forbidden (AccessDenied)'],
    [403, document('AccessDenied', 'Request has expired'), '403 Forbidden (AccessDenied: Request has expired)'],
    [403, document('SignatureDoesNotMatch', 'canary'), '403 Forbidden (SignatureDoesNotMatch)'],
    [400, document('ExpiredToken'), '400 Bad Request (ExpiredToken)'],
    [404, document('NoSuchKey'), '404 Not Found (NoSuchKey)'],
    [403, document('canary secret'), '403 Forbidden'],
    [403, document(`C${'a'.repeat(60)}`), '403 Forbidden'],
    [403, '{"error":"canary"}', '403 Forbidden'],
    [403, `${'x'.repeat(9_000)}${document('AccessDenied')}`, '403 Forbidden'],
  ])('%i is named by its code', async (status, body, expected) => {
    const failure = await failureOf(downloadFrom((_request, response) => response.writeHead(status).end(body)));
    expect(failure.message).toMatch(/^127\.0\.0\.1:\d+ answered /);
    expect(failure.message.replace(/^\S+ answered /, '')).toBe(expected);
    expect(failure.message).not.toContain('canary');
  });

  it('of Azure is in a header', async () => {
    const headers = { 'x-ms-error-code': 'AuthenticationFailed' };
    const failure = await failureOf(downloadFrom((_request, response) => response.writeHead(403, headers).end()));
    expect(failure.message).toContain('403 Forbidden (AuthenticationFailed)');
  });
});

describe('a host that drips', () => {
  const drip = (bytes: number) =>
    anHttpServer((_request, response) => {
      response.writeHead(200, { etag: '"1"', 'accept-ranges': 'bytes', 'content-length': 1_000_000 });
      const timer = setInterval(() => response.write(Buffer.alloc(bytes)), 5);
      response.once('close', () => clearInterval(timer));
    });
  const limits = { ...generous, minRate: { bytes: 500_000, windowMs: 20 } };

  it('fails the download after one window', async () => {
    let requests = 0;
    const port = await drip(1);
    const counting = {
      ...networkWithoutPauses,
      dial: (target: Parameters<typeof networkWithoutPauses.dial>[0]) => {
        requests += 1;
        return networkWithoutPauses.dial(target);
      },
    };
    const failure = await failureOf(downloadInput(aDownload({ url: `http://127.0.0.1:${port}/`, limits }), counting));
    expect(failure).toMatchObject({ code: 'INPUT_UNREACHABLE', retryable: true });
    expect(failure.message).toMatch(/sent only \d+ bytes in \d+ s; the minimum is 500000/);
    expect(requests).toBe(1);
  });

  it('is no host whose reader is slow', async () => {
    const port = await anHttpServer((_request, response) => response.end(Buffer.alloc(300_000)));
    const busy = performance.now();
    const onProgress = () => {
      while (performance.now() - busy < 50);
    };
    const slowly = { ...limits, minRate: { bytes: 1e9, windowMs: 40 } };
    const url = `http://127.0.0.1:${port}/`;
    await turn();
    const { bytes } = await downloadInput(aDownload({ url, limits: slowly, onProgress }));
    expect(bytes).toBe(300_000);
  });
});

it.each([
  ['127.0.0.2', '127.0.0.1'],
  ['::1', '127.0.0.1'],
  ['127.0.0.1', '::1'],
])('a host with a dead address is reached by the other one: %s, %s', async (...addresses) => {
  const port = await anHttpServer((_request, response) => response.end('abc'));
  const network = aNetworkThatResolves({ 'dual.test': addresses });
  const reachable = parseReachableAddresses('127.0.0.1:*,127.0.0.2:*,[::1]:*');
  const request = aDownload({ url: `http://dual.test:${port}/`, reachable });
  expect((await downloadInput(request, network)).bytes).toBe(3);
});

describe('what browsers accept is accepted', () => {
  const head = 'HTTP/1.1 200 OK\r\n';
  it.each([
    ['status 203', 'HTTP/1.1 203 Non-Authoritative Information\r\nContent-Length: 3\r\n\r\nabc'],
    [
      'all bytes as a range',
      'HTTP/1.1 206 Partial Content\r\nContent-Range: bytes 0-2/3\r\nContent-Length: 3\r\n\r\nabc',
    ],
    ['HTTP/1.0 without a length', 'HTTP/1.0 200 OK\r\n\r\nabc'],
    ['no reason phrase', 'HTTP/1.1 200\r\nContent-Length: 3\r\n\r\nabc'],
    ['a length beside chunks', `${head}Content-Length: 9\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n`],
    ['bytes beyond the length', `${head}Content-Length: 3\r\n\r\nabcdef`],
    ['bytes beyond the last chunk', `${head}Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\nrest`],
    [
      'chunks with extensions and trailers',
      `${head}Transfer-Encoding: chunked\r\n\r\n3;a=b\r\nabc\r\n0\r\nX: y\r\n\r\n`,
    ],
    ['lines without a carriage return', 'HTTP/1.1 200 OK\nContent-Length: 3\n\nabc'],
    ['control characters in a header', `${head}X-A: a\x01b\r\nContent-Length: 3\r\n\r\nabc`],
    [
      'cookies that no request may repeat',
      `HTTP/1.1 302 Found\r\nLocation: /b\r\nSet-Cookie: a=b\x01c\r\nSet-Cookie: d=e\x7ff\r\nSet-Cookie: g\x0bh=1\r\n\r\n`,
    ],
    ['40 kB of headers', `${head}X-A: ${'a'.repeat(40_000)}\r\nContent-Length: 3\r\n\r\nabc`],
    ['an interim response', `HTTP/1.1 103 Early Hints\r\nLink: <a>\r\n\r\n${head}Content-Length: 3\r\n\r\nabc`],
  ])('%s', async (_, raw) => {
    const whole = `${head}Content-Length: 3\r\n\r\nabc`;
    const port = await aTcpServer((socket) =>
      socket.once('data', (request) => socket.end(request.includes('GET /b') ? whole : raw, 'latin1')),
    );
    const download = downloadInput(aDownload({ url: `http://127.0.0.1:${port}/` }), networkWithoutPauses);
    expect((await download).bytes).toBe(3);
  });
});
