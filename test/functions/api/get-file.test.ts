import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { apiSecurityHeaders } from '../../../core/access/content-security-policy.ts';
import { getFileContract } from '../../../core/api/files.ts';
import type { FileStorage } from '../../../core/jobs/ports.ts';
import type { JobIn } from '../../../core/jobs/record.ts';
import { deleteJob } from '../../../core/jobs/removal-transitions.ts';
import type { StoredFile } from '../../../core/jobs/stored-file.ts';
import * as references from '../../../core/media/playlists/references.ts';
import { getFile } from '../../../functions/api/app/get-file.ts';
import { withCompression } from '../../../functions/runtime/http/compression.ts';
import { publicRoute } from '../../../functions/runtime/http/route.ts';
import { logger } from '../../../functions/runtime/logger.ts';
import { equivalentBase64 } from '../../builders/equivalent-base64.ts';
import { aGatewayEvent } from '../../builders/http/a-gateway-event.ts';
import { aCompletedJob } from '../../builders/jobs/ended-jobs.ts';
import { aJobId, start } from '../../builders/jobs/jobs.ts';
import { aFileBucket, type FileBucket } from '../../builders/storage/a-file-bucket.ts';
import { memoryJobTable } from '../../memory/job-table.ts';
import { memoryPermits } from '../../memory/permits.ts';
import { changed, foreignSet, hour, own, set, storedFile, urlOf } from './stored-set.ts';

vi.mock('../../../core/media/playlists/references.ts', { spy: true });

const [other, foreign, atProvider] = [2, 3, 4].map((n) => aJobId(n));
const jobs = memoryJobTable();
const clock = { now: () => start };
const opened: string[] = [];
const permits = memoryPermits();
let ids = 0;
const readStored = async (key: string) => set[key.replace('videos/', '')] ?? '';
/** A read at the provider, which a test replaces. */
let readAtProvider = readStored;
let storage: FileBucket;

const inProvider: FileStorage = {
  readText: (key) => readAtProvider(key),
  sign: async ({ key, filename }, seconds) =>
    `https://provider.example/${key}?name=${filename}&for=${seconds}`,
};

beforeAll(async () => {
  storage = await aFileBucket();
  const { store } = storage;
  await complete(own, await store(own, set));
  await complete(other, await store(other, set));
  await complete(foreign, [...(await store(foreign, foreignSet)), 'media_9.m3u8']);
  await complete(atProvider, Object.keys(set), (name) => ({
    storageProviderId: 'sp_1',
    key: `videos/${name}`,
  }));
});

afterEach(() => {
  vi.restoreAllMocks();
  readAtProvider = readStored;
});
afterAll(() => storage[Symbol.asyncDispose]());

async function complete(
  jobId = '',
  names: string[] = [],
  storageOf?: (name: string) => StoredFile['storage'],
): Promise<void> {
  const files = Object.fromEntries(names.map((name) => [name, storedFile(jobId, name, storageOf?.(name))]));
  await jobs.write({
    job: aCompletedJob({ jobId, files, urlSecret: `the secret of ${jobId}` }),
    guard: { absent: true },
  });
}

/** Opens a URL so many seconds after the jobs of this file were read. */
async function open(url: string, afterSeconds = 0) {
  const handler = withCompression(
    publicRoute(
      getFileContract,
      getFile({
        jobs,
        bucket: storage.bucket,
        openProvider: async ({ storageProviderId }) => {
          opened.push(storageProviderId);
          return inProvider;
        },
        permits,
        permitGroup: (ownerId) => ownerId,
        maxPlaylistReads: 4,
        newId: () => `permit-${++ids}`,
        clock: { now: () => new Date(start.getTime() + afterSeconds * 1_000) },
      }),
    ),
  );
  const { pathname, searchParams } = new URL(url);
  const [, , , , id = '', , file = ''] = pathname.split('/').map(decodeURIComponent);
  const event = aGatewayEvent({ params: { id, file }, query: Object.fromEntries(searchParams) });
  const context = { awsRequestId: 'request-1', getRemainingTimeInMillis: () => 20_000 };
  const { statusCode: status = 0, headers = {}, body = '' } = await handler(event, context as never);
  return { status, headers, text: String(body), location: String(headers.location) };
}

describe('the URL of a set', () => {
  it.each([
    ['hls.m3u8', 'hls', 'media_0.m3u8', 'application/vnd.apple.mpegurl'],
    ['media_0.m3u8', 'hls', 'stream_0.mp4', 'application/vnd.apple.mpegurl'],
    ['dash.mpd', 'hls', 'stream_0.mp4', 'application/dash+xml'],
    ['sprite.vtt', 'sprite', 'sprite-001.jpg', 'text/vtt'],
  ] as const)('opens %s, whose names lead to the other files', async (file, name, next, type) => {
    const url = urlOf({ file, set: name });
    const { status, headers, text } = await open(url);
    expect([status, headers]).toEqual([
      200,
      { 'content-type': type, 'cache-control': 'no-store', ...apiSecurityHeaders },
    ]);
    const named = new RegExp(`${next}\\?[^"<#\\s]*`).exec(text)?.[0].replaceAll('&amp;', '&') ?? '';
    const answer = await open(new URL(named, url).href);
    if (next.endsWith('.m3u8')) return expect(answer.status).toBe(200);
    expect([answer.status, answer.headers['cache-control']]).toEqual([302, 'no-store']);
    const range = await fetch(answer.location, { headers: { range: 'bytes=4-8' } });
    expect([range.status, await range.text()]).toEqual([206, 'video']);
  });

  it('opens after a pause of six hours, and ends with its lifetime', async () => {
    const url = urlOf({ file: 'stream_0.mp4', set: 'hls' });
    expect((await open(url, 6 * hour)).status).toBe(302);
    expect((await open(url, 24 * hour - 1)).status).toBe(302);
    expect((await open(url, 24 * hour)).status).toBe(403);
  });

  it('redirects to URLs that are valid for minutes, and end before it does', async () => {
    const secondsOf = async (lifetimeSeconds: number) => {
      const { location } = await open(urlOf({ file: 'stream_0.mp4', set: 'hls', lifetimeSeconds }));
      return Number(new URL(location).searchParams.get('X-Amz-Expires'));
    };
    expect([await secondsOf(hour), await secondsOf(30)]).toEqual([300, 30]);
  });

  it('opens the files at a storage provider', async () => {
    const playlist = await open(urlOf({ file: 'media_0.m3u8', set: 'hls', jobId: atProvider }));
    expect([playlist.status, playlist.text]).toEqual([200, expect.stringContaining('\nstream_0.mp4?owner=')]);
    const { location } = await open(urlOf({ file: 'stream_0.mp4', set: 'hls', jobId: atProvider }));
    expect(location).toBe('https://provider.example/videos/stream_0.mp4?name=film stream_0.mp4&for=300');
    expect(opened).toEqual(['sp_1', 'sp_1']);
  });
});

it('a storage provider that hangs holds four requests for its playlists; further ones are UNAVAILABLE at once', async () => {
  const url = urlOf({ file: 'media_0.m3u8', set: 'hls', jobId: atProvider });
  const hanging = Promise.withResolvers<string>();
  readAtProvider = () => hanging.promise;
  vi.spyOn(logger, 'error').mockImplementation(() => {});
  const held = Array.from({ length: 4 }, () => open(url));
  expect(await open(url)).toMatchObject({ status: 503, headers: { 'retry-after': '2' } });
  expect((await open(urlOf({ file: 'media_0.m3u8', set: 'hls' }))).status).toBe(200);
  hanging.resolve(set['media_0.m3u8'] ?? '');
  expect((await Promise.all(held)).map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  readAtProvider = readStored;
  expect((await open(url)).status).toBe(200);
});

it('a request holds its permit until the playlist of a provider is rewritten', async () => {
  const rewritten = vi.mocked(references.replaceReferences).mockClear();
  const rewrittenWhenFreed: number[] = [];
  vi.spyOn(permits, 'free').mockImplementation(async () => {
    rewrittenWhenFreed.push(rewritten.mock.results.length);
    return true;
  });
  await open(urlOf({ file: 'media_0.m3u8', set: 'hls', jobId: atProvider }));
  expect(rewrittenWhenFreed).toEqual([1]);
});

it.each([
  ['is longer', (text: string) => `${text}\n`],
  ['has the same size and names no file of the set', (text: string) => 'a'.repeat(text.length)],
])(
  'a text in place of a playlist at a provider that %s is NOT_FOUND, and no failure of the service',
  async (_, replace) => {
    const logged = vi.spyOn(logger, 'error');
    readAtProvider = async (key) => replace(await readStored(key));
    const { status, text } = await open(urlOf({ file: 'media_0.m3u8', set: 'hls', jobId: atProvider }));
    expect([status, text]).toEqual([404, expect.stringContaining('no longer the one that this job wrote')]);
    expect(logged).not.toHaveBeenCalled();
  },
);

it('the URL of one file opens it as it is stored, for as long as the URL is valid', async () => {
  const { location } = await open(urlOf({ file: 'hls.m3u8', jobId: atProvider, lifetimeSeconds: hour }), 100);
  expect(location).toBe('https://provider.example/videos/hls.m3u8?name=film hls.m3u8&for=3500');
});

describe('a URL is FORBIDDEN', () => {
  const hls = () => urlOf({ file: 'hls.m3u8', set: 'hls' });

  it.each([
    ['with the path of another file', () => urlOf({ file: 'hls.m3u8' }).replace('hls.m3u8', 'dash.mpd')],
    ['with the path of a file outside the set', () => hls().replace('hls.m3u8', 'log.txt')],
    ['with the path of another set', () => hls().replace('hls.m3u8', 'sprite.vtt')],
    ['with the path of another job', () => hls().replace(String(own), String(other))],
    ['with the path of an unknown job', () => hls().replace(String(own), aJobId(9))],
    ['with another owner', () => changed(hls(), 'owner', 'owner-2')],
    ['with a later end', () => changed(hls(), 'expires', '9999999999')],
    ['with another set', () => changed(hls(), 'set', 'sprite')],
    ['with the set of a file', () => changed(urlOf({ file: 'hls.m3u8' }), 'set', 'hls')],
    ['with a file named as a set', () => urlOf({ file: 'hls' }).replace('files/hls', 'files/hls.m3u8')],
    ['with another signature', () => changed(hls(), 'signature', 'A'.repeat(43))],
    ['after its end', () => urlOf({ file: 'hls.m3u8', set: 'hls', lifetimeSeconds: -1 })],
  ])('%s', async (_, url) => {
    const { status, text } = await open(url());
    expect([status, JSON.parse(text).error.code]).toEqual([403, 'FORBIDDEN']);
  });

  it('with another text of the same signature', async () => {
    const signature = new URL(hls()).searchParams.get('signature') ?? '';
    const others = equivalentBase64(signature);
    expect(others).toHaveLength(3);
    for (const other of others) expect((await open(changed(hls(), 'signature', other))).status).toBe(403);
    expect((await open(hls())).status).toBe(200);
  });

  it('once its job is deleted', async () => {
    const jobId = aJobId(5);
    await complete(jobId, ['hls.m3u8', 'stream_0.mp4']);
    const url = urlOf({ file: 'stream_0.mp4', set: 'hls', jobId });
    expect((await open(url)).status).toBe(302);
    const job = (await jobs.get({ ownerId: 'owner-1', jobId })) as JobIn<'completed'>;
    expect((await jobs.write(deleteJob(job, clock.now()))).written).toBe(true);
    expect((await open(url)).status).toBe(403);
  });
});

it.each([
  ['hls', 'gone.mp4'],
  ['..', '..'],
  ['a path', '..%2f..%2fhls.m3u8'],
  ['', '%00'],
])('a name that is no file of the job is FORBIDDEN or NOT_FOUND: %s', async (_, file) => {
  expect([403, 404]).toContain(
    (await open(urlOf({ file: 'hls.m3u8', set: 'hls' }).replace('hls.m3u8', file))).status,
  );
});

it.each([
  ['has expired', urlOf({ file: 'hls.m3u8', set: 'hls', lifetimeSeconds: 9e7 }), 8e7],
  ['is missing', urlOf({ file: 'stream_7.mp4', set: 'hls' }), 0],
])('a file that %s is NOT_FOUND', async (_, url, afterSeconds) => {
  expect((await open(url, afterSeconds)).status).toBe(404);
});

it('a playlist that is gone from the storage is NOT_FOUND', async () => {
  const { status, text } = await open(urlOf({ file: 'media_9.m3u8', set: 'hls', jobId: foreign }));
  expect([status, text]).toEqual([404, expect.not.stringMatching(/<|AccessDenied/)]);
});

it('a playlist above 8 MiB is PAYLOAD_TOO_LARGE', async () => {
  const { status, text } = await open(urlOf({ file: 'media_0.m3u8', set: 'hls', jobId: foreign }));
  expect([status, JSON.parse(text)]).toMatchObject([
    413,
    { error: { code: 'PAYLOAD_TOO_LARGE', retryable: false } },
  ]);
});

it('the error of a missing or a changed parameter names it', async () => {
  const url = new URL(urlOf({ file: 'hls.m3u8', set: 'hls' }));
  const expectInvalid = async (message: string) =>
    expect(await open(url.href)).toMatchObject({ status: 400, text: expect.stringContaining(message) });
  url.searchParams.delete('signature');
  await expectInvalid('query.signature: Required');
  url.searchParams.set('signature', 'cut');
  await expectInvalid('query.signature: Must be unchanged from the URL of the file');
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
  const url = urlOf({ file: 'media_0.m3u8', set: 'hls' });
  const fetched = vi.spyOn(globalThis, 'fetch').mockImplementationOnce(failure);
  expect([(await open(url)).status, fetched.mock.calls.length]).toEqual([200, 2]);
  fetched.mockImplementationOnce(failure).mockImplementationOnce(failure);
  expect([(await open(url)).status, fetched.mock.calls.length]).toEqual([503, 4]);
});

describe('a playlist that this service did not write is not returned', () => {
  it.each([
    ['an address elsewhere', 'media_1.m3u8', 'hls'],
    ['a second stream in the playlist of one', 'media_2.m3u8', 'hls'],
    ['a file that is not of the set', 'dash.mpd', 'hls'],
    ['the cues of a sprite as subtitles', 'subtitles_0.m3u8', 'hls'],
    ['a media file in the place of a playlist', 'hls.m3u8', 'hls'],
    ['51 sheets of a sprite', 'sprite.vtt', 'sprite'],
  ] as const)('%s', async (_, file, name) => {
    const logged = vi.spyOn(logger, 'error').mockImplementation(() => {});
    const { status, text } = await open(urlOf({ file, set: name, jobId: foreign }));
    expect(logged).toHaveBeenCalledOnce();
    expect([status, JSON.parse(text).error.code]).toEqual([500, 'INTERNAL_ERROR']);
  });
});
