import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { playlistFiles } from '../../../adapters/s3/playlist-files.ts';
import { type Presign, presigner } from '../../../adapters/s3/presign.ts';
import { getPlaylistContract } from '../../../core/api/playlists.ts';
import { sheetName } from '../../../core/media/playlists/set-files.ts';
import { getPlaylist } from '../../../functions/api/app/get-playlist.ts';
import { withCompression } from '../../../functions/runtime/http/compression.ts';
import { publicRoute } from '../../../functions/runtime/http/route.ts';
import { logger } from '../../../functions/runtime/logger.ts';
import { startS3 } from '../../../local/emulators/s3.ts';
import { s3Credentials } from '../../../local/emulators/s3-signature.ts';
import { emulatorTraffic } from '../../../local/emulators/traffic.ts';
import { aGatewayEvent, type HandlerAnswer } from '../../builders/http/a-gateway-event.ts';
import { aBucket } from '../../builders/storage/a-bucket.ts';

const id = '01980000-0000-7000-8000-000000000001';
const another = '01980000-0000-7000-8000-000000000002';
const publicUrl = 'https://media.example';

/** Cues that name one sheet each. */
const cues = (sheets: number) =>
  `WEBVTT\n\n${Array.from({ length: sheets }, (_, index) => `${sheetName(index)}.jpg#xywh=0,0,1,1\n`).join('')}`;

const documents: Record<string, string> = {
  [`jobs/${id}/1/hls.m3u8`]: '#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nmedia_0.m3u8\n',
  [`jobs/${id}/1/media_0.m3u8`]: '#EXTM3U\n#EXTINF:2,\nstream_0.mp4\n#EXT-X-ENDLIST\n',
  [`jobs/${id}/1/keyframes_12.m3u8`]: '#EXTM3U\n#EXTINF:2,\nstream_0.mp4\n#EXT-X-ENDLIST\n',
  [`jobs/${id}/1/subtitles_0.m3u8`]: '#EXTM3U\n#EXTINF:6,\nsubtitle_segments_0.vtt\n#EXT-X-ENDLIST\n',
  [`jobs/${id}/1/subtitle_segments_0.vtt`]: 'the film',
  [`jobs/${id}/1/dash.mpd`]: '<MPD><BaseURL>stream_0.mp4</BaseURL></MPD>',
  [`jobs/${id}/1/stream_0.mp4`]: 'the film',
  [`jobs/${id}/1/output.vtt`]: 'WEBVTT\n\nsprite-001.jpg#xywh=0,0,1,1\n',
  [`jobs/${another}/1/hls.m3u8`]: '#EXTM3U\nmedia_0.m3u8\n',
  [`jobs/${another}/1/media_0.m3u8`]: `#EXTM3U\n${'#'.repeat(8 * 1024 * 1024)}`,
  [`jobs/${another}/1/media_1.m3u8`]: '#EXTM3U\nhttps://elsewhere.example/a.mp4\n',
  [`jobs/${another}/1/media_2.m3u8`]: '#EXTM3U\nstream_2.mp4\nstream_3.mp4\n',
  [`jobs/${another}/1/subtitles_0.m3u8`]: '#EXTM3U\nsprite.vtt\n',
  [`jobs/${another}/2/hls.m3u8`]: '#EXTM3U\nstream_0.mp4\n',
  [`jobs/${another}/1/dash.mpd`]: '<MPD><BaseURL>log.json</BaseURL></MPD>',
  [`jobs/${another}/1/sprite.vtt`]: cues(380_000),
  [`jobs/${another}/2/sprite.vtt`]: cues(51),
  [`jobs/${another}/3/sprite.vtt`]: cues(1).repeat(2001),
};

let sign: Presign;
let signedUrls = 0;
let read: (key: string, query: Record<string, string>) => Promise<HandlerAnswer>;
const stops: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  const directory = await mkdtemp(join(tmpdir(), 'media-jobs-playlists-'));
  const { endpoint, stop } = await startS3(join(directory, 's3'), emulatorTraffic());
  stops.push(stop, () => rm(directory, { recursive: true }));
  await aBucket(endpoint, 'media');
  const bucketUrl = `${endpoint}/media`;
  const clock = { now: () => new Date() };
  sign = presigner({
    region: 'us-east-1',
    credentials: async () => s3Credentials,
    bucketUrl,
    lifetimeSeconds: 600,
    clock,
  });
  for (const [key, body] of Object.entries(documents)) {
    const { url } = await sign({ method: 'PUT', key });
    expect((await fetch(url, { method: 'PUT', body })).status).toBe(200);
  }
  const presign: Presign = (request) => {
    signedUrls += 1;
    return sign(request);
  };
  const app = getPlaylist({ files: playlistFiles({ bucketUrl, presign, clock }), publicUrl });
  const handler = publicRoute(getPlaylistContract, app);
  read = async (key, query) => {
    const [, jobId = '', attempt = '', file = ''] = key.split('/');
    const event = aGatewayEvent({ params: { id: jobId, attempt, file }, query });
    const context = { awsRequestId: 'request-1', getRemainingTimeInMillis: () => 20_000 };
    const { statusCode = 0, headers = {}, body } = await handler(event, context as never);
    return { status: statusCode, headers, body };
  };
});

afterAll(async () => {
  for (const stop of stops) await stop();
});

const queryOf = (url: string) => Object.fromEntries(new URL(url).searchParams);

/** The query of a file's signed URL in a job's view. */
async function signatureOf(key: string, more: Partial<Parameters<Presign>[0]> = {}) {
  const query = { 'response-content-disposition': 'attachment; filename="a b.m3u8"' };
  return queryOf((await sign({ method: 'GET', key, query, ...more })).url);
}

const keyOf = (file: string) => `jobs/${id}/1/${file}`;

describe('a playlist', () => {
  it('is read with the signature of its URL and links to the next playlist with a signature of its own', async () => {
    const { status, headers, body } = await read(keyOf('hls.m3u8'), await signatureOf(keyOf('hls.m3u8')));
    expect(status).toBe(200);
    expect(headers).toEqual({
      'content-type': 'application/vnd.apple.mpegurl',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    });
    const [, next = ''] = /^(https:.*)$/m.exec(String(body)) ?? [];
    expect(next).toMatch(`${publicUrl}/api/v1/jobs/${id}/files/1/media_0.m3u8?`);
    expect((await read(keyOf('media_0.m3u8'), queryOf(next))).status).toBe(200);
  });

  it.each([
    ['media_0.m3u8', /^(http:.*)$/m, 'application/vnd.apple.mpegurl'],
    ['keyframes_12.m3u8', /^(http:.*)$/m, 'application/vnd.apple.mpegurl'],
    ['subtitles_0.m3u8', /^(http:.*)$/m, 'application/vnd.apple.mpegurl'],
    ['dash.mpd', /<BaseURL>(.*)<\/BaseURL>/, 'application/dash+xml'],
  ])('links to the video or the subtitles in the bucket: %s', async (file, pattern, type) => {
    const { headers, body } = await read(keyOf(file), await signatureOf(keyOf(file)));
    expect(headers['content-type']).toBe(type);
    const url = pattern.exec(String(body))?.[1]?.replaceAll('&amp;', '&') ?? '';
    const film = await fetch(url, { headers: { range: 'bytes=4-7' } });
    expect([film.status, await film.text()]).toEqual([206, 'film']);
  });

  it('signs no URL for longer than its own signature', async () => {
    const signature = await signatureOf(keyOf('media_0.m3u8'), { lifetimeSeconds: 30 });
    const { body } = await read(keyOf('media_0.m3u8'), signature);
    const film = queryOf(/^(http:.*)$/m.exec(String(body))?.[1] ?? '');
    expect(endOf(film)).toBeLessThanOrEqual(endOf(signature));
    expect(endOf(film)).toBeGreaterThan(endOf(signature) - 30);
  });
});

it('the playlist of four hours in segments of 2 s fits into a response of Lambda, with session tokens of AWS', async () => {
  const segments = Array.from(
    { length: 7_200 },
    (_, index) => `#EXTINF:2,\n#EXT-X-BYTERANGE:${500_000 + index}@${index * 500_000}\nstream_0.mp4\n`,
  );
  const stored = `#EXTM3U\n#EXT-X-MAP:URI="stream_0.mp4",BYTERANGE="800@0"\n${segments.join('')}#EXT-X-ENDLIST\n`;
  const clock = { now: () => new Date() };
  const presign = presigner({
    region: 'us-east-1',
    credentials: async () => ({ ...s3Credentials, sessionToken: randomBytes(900).toString('base64') }),
    bucketUrl: 'https://media.s3.us-east-1.amazonaws.com',
    lifetimeSeconds: 3_600,
    clock,
  });
  const files = {
    ...playlistFiles({ bucketUrl: 'https://media.example', presign, clock }),
    read: async () => stored,
  };
  const handler = withCompression(publicRoute(getPlaylistContract, getPlaylist({ files, publicUrl })));
  const event = aGatewayEvent({
    params: { id, attempt: '1', file: 'media_0.m3u8' },
    query: await signatureOf(keyOf('media_0.m3u8')),
    headers: { 'accept-encoding': 'gzip' },
  });
  const { statusCode, body = '' } = await handler(event, { awsRequestId: 'request-1' } as never);
  expect(statusCode).toBe(200);
  const text = gunzipSync(Buffer.from(body, 'base64')).toString();
  const [url = ''] = /^https:.*$/m.exec(text) ?? [];
  expect(url.length).toBeGreaterThan(1_500);
  expect(Buffer.byteLength(text)).toBeGreaterThan(6 * 1024 * 1024);
  expect(body.length).toBeLessThan(1024 * 1024);
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
  const fetched = vi.spyOn(globalThis, 'fetch').mockImplementationOnce(failure);
  const first = await read(keyOf('media_0.m3u8'), await signatureOf(keyOf('media_0.m3u8')));
  expect([first.status, fetched.mock.calls.length]).toEqual([200, 2]);
  fetched.mockImplementationOnce(failure).mockImplementationOnce(failure);
  const second = await read(keyOf('media_0.m3u8'), await signatureOf(keyOf('media_0.m3u8')));
  expect([second.status, fetched.mock.calls.length]).toEqual([503, 4]);
  fetched.mockRestore();
});

describe('a request for a playlist without a valid signature', () => {
  const forbidden = { status: 403, headers: { 'content-type': 'application/json' } };

  it.each([
    ['of another file', () => signatureOf(keyOf('dash.mpd'))],
    ['of another job', () => signatureOf(`jobs/${another}/1/hls.m3u8`)],
    [
      'that was made longer',
      async () => ({ ...(await signatureOf(keyOf('hls.m3u8'))), 'X-Amz-Expires': '900' }),
    ],
    [
      'that has expired',
      async () => {
        const past = () => new Date(Date.now() - 3_600_000);
        const late = presigner({
          region: 'us-east-1',
          credentials: async () => s3Credentials,
          bucketUrl: new URL((await sign({ method: 'GET', key: 'a' })).url).origin.concat('/media'),
          lifetimeSeconds: 60,
          clock: { now: past },
        });
        return queryOf((await late({ method: 'GET', key: keyOf('hls.m3u8') })).url);
      },
    ],
  ])('is FORBIDDEN and reveals nothing about the storage: a signature %s', async (_, signature) => {
    const { body, ...answer } = await read(keyOf('hls.m3u8'), await signature());
    expect(answer).toMatchObject(forbidden);
    expect(JSON.parse(String(body))).toMatchObject({
      error: {
        code: 'FORBIDDEN',
        message: expect.stringContaining('request the job again'),
        retryable: false,
      },
    });
    expect(String(body)).not.toMatch(/<|Signature|AccessDenied/);
  });

  it('has the name of a missing signature parameter in its error', async () => {
    const { 'X-Amz-Signature': _, ...unsigned } = await signatureOf(keyOf('hls.m3u8'));
    const { status, body } = await read(keyOf('hls.m3u8'), unsigned);
    expect([status, String(body)]).toEqual([400, expect.stringContaining('query.X-Amz-Signature: Required')]);
  });

  it.each(['stream_0.mp4', 'gone.m3u8', 'media_9.m3u8', 'output.vtt', 'subtitle_segments_0.vtt'])(
    'is NOT_FOUND for %s',
    async (file) => {
      const { status } = await read(keyOf(file), await signatureOf(keyOf(file)));
      expect(status).toBe(404);
    },
  );

  it.each([
    `jobs/${id}/0/hls.m3u8`,
    `jobs/${id}/1/..m3u8`,
    `jobs/${id}/1/..%2f..%2fhls.m3u8`,
    'jobs/uploads/1/hls.m3u8',
  ])('cannot read an object outside a job: %s', async (key) => {
    expect((await read(key, await signatureOf(key))).status).toBe(404);
  });
});

describe('a playlist that this service did not write', () => {
  it.each([
    ['a document that is too large', '1/media_0.m3u8'],
    ['an address elsewhere', '1/media_1.m3u8'],
    ['a second stream in the playlist of one', '1/media_2.m3u8'],
    ['a file that is not of the set', '1/dash.mpd'],
    ['the cues of a sprite as subtitles', '1/subtitles_0.m3u8'],
    ['a media file in the place of a playlist', '2/hls.m3u8'],
    ['380,000 sheets of a sprite', '1/sprite.vtt'],
    ['51 sheets of a sprite', '2/sprite.vtt'],
    ['2,001 frames of a sprite', '3/sprite.vtt'],
  ])('is not returned, and nothing of it is signed: %s', async (_, file) => {
    const logged = vi.spyOn(logger, 'error').mockImplementation(() => {});
    const key = `jobs/${another}/${file}`;
    const signature = await signatureOf(key);
    const before = signedUrls;
    const { status, body } = await read(key, signature);
    expect(signedUrls).toBe(before);
    expect(logged).toHaveBeenCalledOnce();
    logged.mockRestore();
    expect([status, JSON.parse(String(body)).error.code]).toEqual([500, 'INTERNAL_ERROR']);
  });
});

/** The expiry of a signature, in seconds. */
function endOf(query: Record<string, string>): number {
  const { 'X-Amz-Date': date = '', 'X-Amz-Expires': seconds } = query;
  const at = date.replace(/^(....)(..)(..)T(..)(..)(..)Z$/, '$1-$2-$3T$4:$5:$6Z');
  return Date.parse(at) / 1000 + Number(seconds);
}
