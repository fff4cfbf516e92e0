import { afterEach, describe, expect, it, vi } from 'vitest';
import { defaultHeaders } from '../../../adapters/runtime/http/response.ts';
import { logger } from '../../../adapters/runtime/logger.ts';
import { itUnless } from '../../builders/storage/on-foreign.ts';
import { fileRoutes, foreign } from './file-routes.ts';
import { hour, urlOf } from './stored-set.ts';

const routes = await fileRoutes();
const { open } = routes;

afterEach(() => vi.restoreAllMocks());

describe('the URL of a set', () => {
  it.each([
    ['hls.m3u8', 'media_0.m3u8', 'application/vnd.apple.mpegurl'],
    ['media_0.m3u8', 'stream_0.mp4', 'application/vnd.apple.mpegurl'],
    ['dash.mpd', 'stream_0.mp4', 'application/dash+xml'],
    ['sprite.vtt', 'sprite-001.jpg', 'text/vtt'],
  ] as const)('opens %s, whose names lead to the other files', async (file, next, type) => {
    const url = urlOf({ file });
    const { status, headers, text } = await open(url);
    expect([status, headers]).toEqual([200, { 'content-type': type, 'accept-ranges': 'none', ...defaultHeaders }]);
    const named = new RegExp(`${next}\\?[^"<#\\s]*`).exec(text)?.[0].replaceAll('&amp;', '&') ?? '';
    const answer = await open(new URL(named, url).href);
    if (next.endsWith('.m3u8')) return expect(answer.status).toBe(200);
    expect([answer.status, answer.headers['cache-control']]).toEqual([302, 'no-store']);
    const range = await fetch(answer.location, { headers: { range: 'bytes=4-8' } });
    expect([range.status, await range.text()]).toEqual([206, 'video']);
  });

  it('opens after a pause of six hours, and ends with its lifetime', async () => {
    const url = urlOf({ file: 'stream_0.mp4' });
    expect((await open(url, 6 * hour)).status).toBe(302);
    expect((await open(url, 24 * hour - 1)).status).toBe(302);
    expect((await open(url, 24 * hour)).status).toBe(403);
  });

  itUnless('S3 of moto')('redirects to a URL that is valid for five minutes and names the download', async () => {
    const { location } = await open(urlOf({ file: 'stream_0.mp4' }));
    const { searchParams } = new URL(location);
    expect(searchParams.get('X-Amz-Expires')).toBe('300');
    expect((await fetch(location)).headers.get('content-disposition')).toContain('film stream_0.mp4');
  });
});

it('the URL of one file opens it, and no other file of its folder', async () => {
  const url = urlOf({ file: 'stream_0.mp4', scope: 'file', lifetimeSeconds: hour });
  expect([(await open(url, 100)).status, (await open(url.replace('stream_0', 'log'), 100)).status]).toEqual([302, 403]);
});

it('a playlist that is gone from the storage is NOT_FOUND', async () => {
  const { status, text } = await open(urlOf({ file: 'media_9.m3u8', jobId: foreign }));
  expect([status, text]).toEqual([404, expect.not.stringMatching(/<|AccessDenied/)]);
});

it('a playlist above 8 MiB is PAYLOAD_TOO_LARGE', async () => {
  const { status, text } = await open(urlOf({ file: 'media_0.m3u8', jobId: foreign }));
  expect([status, JSON.parse(text)]).toMatchObject([413, { error: { code: 'PAYLOAD_TOO_LARGE', retryable: false } }]);
});

it('the error of a missing parameter names it', async () => {
  const url = new URL(urlOf({ file: 'hls.m3u8' }));
  url.searchParams.delete('s');
  expect(await open(url.href)).toMatchObject({ status: 400, text: expect.stringContaining('query.s: Required') });
});

it.each([
  ['an answer of 503', async () => new Response('Slow Down', { status: 503 })],
  [
    'a broken connection',
    async () => {
      throw new TypeError('fetch failed');
    },
  ],
])('a playlist is read again once after %s', async (_, failure) => {
  const url = urlOf({ file: 'media_0.m3u8' });
  const fetched = vi.spyOn(globalThis, 'fetch').mockImplementationOnce(failure);
  expect([(await open(url)).status, fetched.mock.calls.length]).toEqual([200, 2]);
  fetched.mockImplementationOnce(failure).mockImplementationOnce(failure);
  expect([(await open(url)).status, fetched.mock.calls.length]).toEqual([503, 4]);
});

it.each([
  ['an address elsewhere', 'media_1.m3u8'],
  ['a second stream in the playlist of one', 'media_2.m3u8'],
  ['a file that is not of the set', 'dash.mpd'],
  ['the cues of a sprite as subtitles', 'subtitles_0.m3u8'],
  ['a media file in the place of a playlist', 'hls.m3u8'],
  ['51 sheets of a sprite', 'sprite.vtt'],
] as const)('a playlist that this service did not write is not returned %s', async (_, file) => {
  const logged = vi.spyOn(logger, 'error').mockImplementation(() => {});
  const { status, text } = await open(urlOf({ file, jobId: foreign }));
  expect(logged).toHaveBeenCalledOnce();
  expect([status, JSON.parse(text).error.code]).toEqual([500, 'INTERNAL_ERROR']);
});
