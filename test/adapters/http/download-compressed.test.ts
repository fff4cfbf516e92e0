import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { downloadUnlessLarge, streamInput } from '../../../adapters/http/download-input.ts';
import { downloads, generous, networkWithoutPauses } from './builders/downloads.ts';
import { loopback } from './builders/networks.ts';
import { anHttpServer } from './builders/servers.ts';

const { path, aDownload, downloadFrom, failureOf } = downloads();

const file = Buffer.concat([randomBytes(200_000), Buffer.alloc(300_000)]);
const compressed: [coding: string, body: Buffer][] = [
  ['gzip', gzipSync(file)],
  ['x-gzip', gzipSync(file)],
  ['GZIP', gzipSync(file)],
  ['deflate', deflateSync(file)],
  ['deflate', deflateRawSync(file)],
  ['br', brotliCompressSync(file)],
  ['zstd', zstdCompressSync(file)],
  ['deflate, gzip', gzipSync(deflateSync(file))],
  ['gzip, aws-chunked', gzipSync(file)],
];

describe('a file that its host compresses although not asked to', () => {
  it.each(compressed)('is decoded: %s', async (coding, body) => {
    const headers = { 'content-encoding': coding, 'content-length': body.length };
    const download = await downloadFrom((_request, response) => response.writeHead(200, headers).end(body));
    expect(download.bytes).toBe(file.length);
    expect((await readFile(path())).equals(file)).toBe(true);
  });

  it.each(compressed)('is decoded while it is copied: %s', async (coding, body) => {
    const port = await anHttpServer((_request, response) => response.setHeader('content-encoding', coding).end(body));
    const request = {
      url: `http://127.0.0.1:${port}/`,
      reachable: loopback,
      userAgent: 'a',
      limits: generous,
    };
    const { signal } = new AbortController();
    const copied = await streamInput({ ...request, signal, onProgress: () => {} });
    expect(copied.totalBytes).toBeUndefined();
    const chunks: Buffer[] = [];
    for await (const chunk of copied.body) chunks.push(chunk);
    expect(Buffer.concat(chunks).equals(file)).toBe(true);
  });

  it('is not read by ranges, and not by its compressed size', async () => {
    const port = await anHttpServer((_request, response) =>
      response
        .writeHead(200, { 'content-encoding': 'gzip', etag: '"1"', 'accept-ranges': 'bytes' })
        .end(gzipSync(file)),
    );
    const request = aDownload({ url: `http://127.0.0.1:${port}/` });
    const fetched = await downloadUnlessLarge({ ...request, leaveFromBytes: 1_000 }, networkWithoutPauses);
    expect(fetched).toMatchObject({ bytes: file.length });
  });

  it('starts again if it breaks off', async () => {
    let requests = 0;
    const body = gzipSync(file);
    const download = await downloadFrom((_request, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip', etag: '"1"' });
      if (++requests === 1) response.write(body.subarray(0, 100_000), () => response.destroy());
      else if (requests === 2) response.end(body.subarray(0, 100_000));
      else response.end(body);
    });
    expect([requests, download.bytes]).toEqual([3, file.length]);
  });

  it.each(['gzip', 'br', 'zstd', 'deflate', 'gzip, gzip'])('is limited by what it decodes to: %s', async (coding) => {
    const encode = { gzip: gzipSync, br: brotliCompressSync, zstd: zstdCompressSync, deflate: deflateSync };
    const bomb = coding.split(', ').reduce((bytes, each) => encode[each as 'gzip'](bytes), Buffer.alloc(50_000_000));
    let written = 0;
    const failure = await failureOf(
      downloadFrom((_request, response) => response.setHeader('content-encoding', coding).end(bomb), {
        limits: { ...generous, maxBytes: 1_000_000 },
        onProgress: ({ bytes }) => {
          written = bytes;
        },
      }),
    );
    expect(failure).toMatchObject({ code: 'INPUT_TOO_LARGE' });
    expect(written).toBeLessThanOrEqual(1_000_000);
  });

  it.each(['gzip', 'br', 'deflate', 'zstd'])('is rejected if it cannot be decoded: %s', async (coding) => {
    const magic = { gzip: '1f8b0800', br: 'ffff', deflate: '789c', zstd: '28b52ffd' }[coding] ?? '';
    const body = Buffer.concat([Buffer.from(magic, 'hex'), Buffer.alloc(1_000, 0xff)]);
    const failure = await failureOf(
      downloadFrom((_request, response) => response.setHeader('content-encoding', coding).end(body)),
    );
    expect(failure).toMatchObject({ code: 'INPUT_UNREACHABLE', retryable: false });
    expect(failure.message).toContain(`cannot be decoded as its Content-Encoding says (${coding})`);
  });

  it.each(['compress', 'gzip, gzip, gzip, gzip'])('is rejected as %s', async (coding) => {
    const failure = await failureOf(
      downloadFrom((_request, response) => response.setHeader('content-encoding', coding).end('abcd')),
    );
    expect(failure).toMatchObject({ code: 'INPUT_UNSUPPORTED', retryable: false });
  });
});

it.each(['aws-chunked', 'none', 'utf-8', 'constructor', 'gzip', 'zstd'])(
  'a plain file that is sent with the Content-Encoding %s is accepted',
  async (coding) => {
    const download = await downloadFrom((_request, response) =>
      response.writeHead(200, { 'content-encoding': coding }).end('abcdef'),
    );
    expect(download.bytes).toBe(6);
  },
);

it('a host that refuses to be told the encoding is asked without', async () => {
  const download = await downloadFrom((request, response) =>
    'accept-encoding' in request.headers ? response.writeHead(406).end() : response.end('abc'),
  );
  expect(download.bytes).toBe(3);
});
