import type { RequestListener } from 'node:http';
import { describe, expect, it } from 'vitest';
import { downloadUnlessLarge } from '../../../adapters/http/download-input.ts';
import { downloads, networkWithoutPauses } from './builders/downloads.ts';
import { answerHead } from './builders/file-server.ts';
import { anHttpServer } from './builders/servers.ts';

const file = Buffer.alloc(5_000, 'video');
const { remains, aDownload, failureOf } = downloads();

/** Fetches the file from a server that answers like this, which leaves it from so many bytes on. */
async function fetchFrom(listener: RequestListener, leaveFromBytes: number) {
  const port = await anHttpServer(listener);
  const request = aDownload({ url: `http://127.0.0.1:${port}/film.mp4` });
  return downloadUnlessLarge({ ...request, leaveFromBytes }, networkWithoutPauses);
}

const serve =
  (headers: Record<string, string>): RequestListener =>
  (request, response) => {
    const { start, end } = answerHead({ request, response }, file, headers);
    response.end(file.subarray(start, end));
  };

describe('an input that is as large as the limit', () => {
  it('is left in place, with its version', async () => {
    expect(await fetchFrom(serve({ etag: '"v1"' }), file.length)).toEqual({
      sizeBytes: file.length,
      pinned: { validator: { header: 'etag', value: '"v1"' }, sizeBytes: file.length },
    });
    expect(await remains()).toEqual([]);
  });

  it.each<[string, RequestListener]>([
    ['names no version', serve({})],
    ['has a weak ETag', serve({ etag: 'W/"v1"' })],
    ['does not announce ranges', serve({ etag: '"v1"', 'accept-ranges': 'none' })],
    [
      'announces ranges and serves none',
      (_request, response) =>
        response.writeHead(200, { 'content-length': file.length, 'accept-ranges': 'bytes', etag: '"v1"' }).end(file),
    ],
  ])('has no version to read if its server %s', async (_, listener) => {
    expect(await fetchFrom(listener, file.length)).toEqual({ sizeBytes: file.length, pinned: undefined });
    expect(await remains()).toEqual([]);
  });
});

it('an input whose ranges state another size has that one', async () => {
  const fetched = await fetchFrom((request, response) => {
    const headers = { etag: '"v1"', 'accept-ranges': 'bytes' };
    if (request.headers.range === undefined) response.writeHead(200, { ...headers, 'content-length': 9_000 });
    else response.writeHead(206, { ...headers, 'content-range': `bytes 0-0/${file.length}` });
    response.end(file.subarray(0, 1));
  }, file.length);
  expect(fetched).toMatchObject({ sizeBytes: file.length, pinned: { sizeBytes: file.length } });
});

it('a web page as large as the limit is none', async () => {
  const page = Buffer.concat([Buffer.from('<!doctype html><title>Virus scan</title>'), file]);
  for (const headers of [{ etag: '"v1"' }, {}] as Record<string, string>[]) {
    const fetched = fetchFrom((request, response) => {
      const { start, end } = answerHead({ request, response }, page, headers);
      response.end(page.subarray(start, end));
    }, file.length);
    const failure = await failureOf(fetched);
    expect(failure.code).toBe('INPUT_NOT_MEDIA');
    expect(failure.message).toContain('sent a web page (text/html), not a file');
  }
});

it('a smaller input is downloaded', async () => {
  const fetched = await fetchFrom(serve({ etag: '"v1"' }), file.length + 1);
  expect(fetched).toMatchObject({ bytes: file.length });
  expect(await remains()).toEqual(['input']);
});
