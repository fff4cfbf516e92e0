import { randomBytes } from 'node:crypto';
import type { RequestListener } from 'node:http';
import type { JobError } from '@media-jobs/video/errors';
import { describe, expect, it } from 'vitest';
import { urlRangeSource } from '../../../adapters/http/url-range-source.ts';
import { generous, networkWithoutPauses } from './builders/downloads.ts';
import { answerHead } from './builders/file-server.ts';
import { aNetworkThatResolves, loopback } from './builders/networks.ts';
import { anHttpServer } from './builders/servers.ts';

const file = randomBytes(300_000);
const pinned = { validator: { header: 'etag' as const, value: '"v1"' }, sizeBytes: file.length };
const signal = new AbortController().signal;

const serve =
  (headers: Record<string, string> = { etag: '"v1"' }): RequestListener =>
  (request, response) => {
    const { start, end } = answerHead({ request, response }, file, headers);
    response.end(file.subarray(start, end));
  };

/** Reads a range of the pinned version from a server that answers like this. */
async function readFrom(listener: RequestListener, { start = 1_000, end = 200_000, path = '/film.mp4' } = {}) {
  const port = await anHttpServer(listener);
  const request = {
    url: `http://127.0.0.1:${port}${path}`,
    limits: generous,
    reachable: loopback,
    userAgent: 'media-jobs/test',
  };
  return read(urlRangeSource(request, pinned, networkWithoutPauses), { start, end });
}

async function read(source: ReturnType<typeof urlRangeSource>, range: { start: number; end: number }) {
  const chunks: Buffer[] = [];
  for await (const chunk of source.read(range, signal)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

const failureOf = (reading: Promise<unknown>) =>
  reading.then(
    () => undefined,
    (error: JobError) => ({ code: error.code, retryable: error.retryable, message: error.message }),
  );

describe('a range of an input by URL', () => {
  it('is exactly these bytes, under the condition that the version is the same', async () => {
    const received: unknown[] = [];
    const bytes = await readFrom((request, response) => {
      received.push([request.headers.range, request.headers['if-range']]);
      serve()(request, response);
    });
    expect(bytes.equals(file.subarray(1_000, 200_000))).toBe(true);
    expect(received).toEqual([['bytes=1000-199999', '"v1"']]);
  });

  it('resumes where the connection broke off', async () => {
    const ranges: string[] = [];
    const bytes = await readFrom((request, response) => {
      ranges.push(request.headers.range ?? '');
      const { start, end } = answerHead({ request, response }, file);
      if (ranges.length > 3) return response.end(file.subarray(start, end));
      response.write(file.subarray(start, start + 10_000), () => response.destroy());
    });
    expect(bytes.equals(file.subarray(1_000, 200_000))).toBe(true);
    expect(ranges).toHaveLength(4);
  });

  it('resumes as often as connections end that have brought a megabyte', async () => {
    const large = randomBytes(30_000_000);
    let requests = 0;
    const port = await anHttpServer((request, response) => {
      requests += 1;
      const { start, end } = answerHead({ request, response }, large);
      if (end - start <= 3_000_000) return response.end(large.subarray(start, end));
      return response.write(large.subarray(start, start + 3_000_000), () => response.destroy());
    });
    const request = {
      url: `http://127.0.0.1:${port}/`,
      limits: generous,
      reachable: loopback,
      userAgent: 'media-jobs/test',
    };
    const ofLarge = { ...pinned, sizeBytes: large.length };
    const source = urlRangeSource(request, ofLarge, networkWithoutPauses);
    expect((await read(source, { start: 0, end: large.length })).equals(large)).toBe(true);
    expect(requests).toBeGreaterThan(7);
  });

  it('is requested again while the server is overloaded', async () => {
    let requests = 0;
    const bytes = await readFrom((request, response) => {
      requests += 1;
      if (requests < 3) response.writeHead(503).end();
      else serve()(request, response);
    });
    expect(bytes).toHaveLength(199_000);
    expect(requests).toBe(3);
  });

  it('follows the redirect of each request, since a signed target may expire', async () => {
    const paths: string[] = [];
    const bytes = await readFrom((request, response) => {
      paths.push(request.url ?? '');
      if (request.url === '/film.mp4') response.writeHead(302, { location: '/signed' }).end();
      else serve()(request, response);
    });
    expect(bytes).toHaveLength(199_000);
    expect(paths).toEqual(['/film.mp4', '/signed']);
  });
});

describe('a read fails clearly and once if the input', () => {
  it.each<[string, RequestListener]>([
    ['has another ETag', serve({ etag: '"v2"' })],
    [
      'has another ETag, and the server ignores the condition',
      (request, response) => {
        const headers = { 'content-range': `bytes 1000-199999/${file.length}`, etag: '"v2"' };
        response.writeHead(206, headers).end(file.subarray(1_000, 200_000));
        expect(request.headers['if-range']).toBe('"v1"');
      },
    ],
    [
      'has another size',
      (_request, response) => {
        response.writeHead(206, { 'content-range': 'bytes 1000-199999/900000', etag: '"v1"' });
        response.end(file.subarray(1_000, 200_000));
      },
    ],
    ['is shorter by now', (_request, response) => response.writeHead(416).end()],
    ['is no longer served by ranges', (_request, response) => response.writeHead(200).end(file)],
  ])('%s', async (_, listener) => {
    let requests = 0;
    const failure = await failureOf(
      readFrom((request, response) => {
        requests += 1;
        listener(request, response);
      }),
    );
    expect(failure).toMatchObject({ code: 'INPUT_UNREACHABLE', retryable: false });
    expect(failure?.message).toMatch(/^127.0.0.1:\d+ replaced the input while it was read/);
    expect(requests).toBe(1);
  });

  it('is gone', async () => {
    const failure = await failureOf(readFrom((_, response) => response.writeHead(404).end()));
    expect(failure).toMatchObject({ code: 'INPUT_UNREACHABLE', retryable: false });
  });

  it('keeps breaking off', async () => {
    const failure = await failureOf(
      readFrom((request, response) => {
        const { start } = answerHead({ request, response }, file);
        response.write(file.subarray(start, start + 10), () => response.destroy());
      }),
    );
    expect(failure).toMatchObject({ code: 'INPUT_UNREACHABLE', retryable: true });
  });
});

it('the address of every request is checked again', async () => {
  const port = await anHttpServer(serve());
  const names: Record<string, string[]> = { 'videos.test': ['127.0.0.1'] };
  const rules = { limits: generous, reachable: loopback, userAgent: 'media-jobs/test' };
  const request = { url: `http://videos.test:${port}/film.mp4`, ...rules };
  const source = urlRangeSource(request, pinned, aNetworkThatResolves(names));
  expect(await read(source, { start: 0, end: 10 })).toHaveLength(10);
  names['videos.test'] = ['169.254.169.254'];
  await expect(read(source, { start: 0, end: 10 })).rejects.toMatchObject({ code: 'INPUT_FORBIDDEN' });
});
