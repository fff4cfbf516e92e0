import { replaceReferences } from '@media-jobs/video/media';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { apiSecurityHeaders } from '../../../core/access/content-security-policy.ts';
import { getFileContract, headFileContract } from '../../../core/api/files.ts';
import type { FileStorage } from '../../../core/jobs/ports.ts';
import type { JobIn } from '../../../core/jobs/record.ts';
import { deleteJob } from '../../../core/jobs/removal-transitions.ts';
import type { StoredFile } from '../../../core/jobs/stored-file.ts';
import { getFile } from '../../../functions/api/app/get-file.ts';
import { headFile } from '../../../functions/api/app/head-file.ts';
import { compression } from '../../../functions/runtime/http/compression.ts';
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

vi.mock('@media-jobs/video/media', { spy: true });

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
  sign: async ({ key, filename }) => `https://provider.example/${key}?name=${filename}`,
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

/** Sends a request for a URL so many seconds after the jobs of this file were read. */
async function open(url: string, afterSeconds = 0, method: 'GET' | 'HEAD' = 'GET') {
  const deps = {
    jobs,
    bucket: storage.bucket,
    openProvider: async ({ storageProviderId }: { storageProviderId: string }) => {
      opened.push(storageProviderId);
      return inProvider;
    },
    permits,
    permitGroup: (ownerId: string) => ownerId,
    maxPlaylistReads: 4,
    newId: () => `permit-${++ids}`,
    clock: { now: () => new Date(start.getTime() + afterSeconds * 1_000) },
  };
  const handler =
    method === 'GET'
      ? publicRoute(getFileContract, getFile(deps), compression)
      : publicRoute(headFileContract, headFile(deps));
  const { pathname, searchParams } = new URL(url);
  const [, , , , id = '', , output = '', file = ''] = pathname.split('/').map(decodeURIComponent);
  const event = aGatewayEvent({ params: { id, output, file }, query: Object.fromEntries(searchParams) });
  const context = { awsRequestId: 'request-1', getRemainingTimeInMillis: () => 20_000 };
  const { statusCode: status = 0, headers = {}, body = '' } = await handler(event, context as never);
  return { status, headers, text: String(body), location: String(headers.location) };
}

describe('the URL of a set', () => {
  it.each([
    ['hls.m3u8', 'media_0.m3u8', 'application/vnd.apple.mpegurl'],
    ['media_0.m3u8', 'stream_0.mp4', 'application/vnd.apple.mpegurl'],
    ['dash.mpd', 'stream_0.mp4', 'application/dash+xml'],
    ['sprite.vtt', 'sprite-001.jpg', 'text/vtt'],
  ] as const)('opens %s, whose names lead to the other files', async (file, next, type) => {
    const url = urlOf({ file });
    const { status, headers, text } = await open(url);
    expect([status, headers]).toEqual([
      200,
      { 'content-type': type, 'accept-ranges': 'none', 'cache-control': 'no-store', ...apiSecurityHeaders },
    ]);
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

  it('redirects to a URL that is valid for five minutes and names the download', async () => {
    const { location } = await open(urlOf({ file: 'stream_0.mp4' }));
    const { searchParams } = new URL(location);
    expect(searchParams.get('X-Amz-Expires')).toBe('300');
    expect((await fetch(location)).headers.get('content-disposition')).toContain('film stream_0.mp4');
  });

  it('opens the files at a storage provider', async () => {
    const playlist = await open(urlOf({ file: 'media_0.m3u8', jobId: atProvider }));
    expect([playlist.status, playlist.text]).toEqual([200, expect.stringContaining('\nstream_0.mp4?o=')]);
    const { location } = await open(urlOf({ file: 'stream_0.mp4', jobId: atProvider }));
    expect(location).toBe('https://provider.example/videos/stream_0.mp4?name=film stream_0.mp4');
    expect(opened).toEqual(['sp_1', 'sp_1']);
  });
});

it('a storage provider that hangs holds four requests for its playlists; further ones are UNAVAILABLE at once', async () => {
  const url = urlOf({ file: 'media_0.m3u8', jobId: atProvider });
  const hanging = Promise.withResolvers<string>();
  readAtProvider = () => hanging.promise;
  vi.spyOn(logger, 'error').mockImplementation(() => {});
  const held = Array.from({ length: 4 }, () => open(url));
  expect(await open(url)).toMatchObject({ status: 503, headers: { 'retry-after': '2' } });
  expect((await open(urlOf({ file: 'media_0.m3u8' }))).status).toBe(200);
  hanging.resolve(set['media_0.m3u8'] ?? '');
  expect((await Promise.all(held)).map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  readAtProvider = readStored;
  expect((await open(url)).status).toBe(200);
});

it('a request holds its permit until the playlist of a provider is rewritten', async () => {
  const rewritten = vi.mocked(replaceReferences).mockClear();
  const rewrittenWhenFreed: number[] = [];
  vi.spyOn(permits, 'free').mockImplementation(async () => {
    rewrittenWhenFreed.push(rewritten.mock.results.length);
    return true;
  });
  await open(urlOf({ file: 'media_0.m3u8', jobId: atProvider }));
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
    const { status, text } = await open(urlOf({ file: 'media_0.m3u8', jobId: atProvider }));
    expect([status, text]).toEqual([404, expect.stringContaining('no longer the one that this job wrote')]);
    expect(logged).not.toHaveBeenCalled();
  },
);

it('the URL of one file opens it, and no other file of its folder', async () => {
  const url = urlOf({ file: 'stream_0.mp4', scope: 'file', lifetimeSeconds: hour });
  expect([(await open(url, 100)).status, (await open(url.replace('stream_0', 'log'), 100)).status]).toEqual([
    302, 403,
  ]);
});

describe('a HEAD', () => {
  it('answers the headers of the file, without a redirect', async () => {
    const { status, headers } = await open(urlOf({ file: 'stream_0.mp4', scope: 'file' }), 0, 'HEAD');
    expect([status, headers]).toMatchObject([
      200,
      {
        'content-type': 'video/mp4',
        'content-length': String(Buffer.byteLength(set['stream_0.mp4'] ?? '')),
        'content-disposition': expect.stringContaining('film stream_0.mp4'),
        'accept-ranges': 'bytes',
      },
    ]);
  });

  it.each([own, atProvider])('of a playlist answers the length of what a GET returns: %s', async (jobId) => {
    const url = urlOf({ file: 'media_0.m3u8', jobId });
    const { text } = await open(url);
    const { status, headers } = await open(url, 0, 'HEAD');
    expect([status, headers]).toMatchObject([
      200,
      {
        'content-type': 'application/vnd.apple.mpegurl',
        'content-length': String(Buffer.byteLength(text)),
        'accept-ranges': 'none',
      },
    ]);
  });

  it('is refused as a GET is', async () => {
    const url = urlOf({ file: 'stream_0.mp4' });
    expect((await open(changed(url, 's', 'A'.repeat(22)), 0, 'HEAD')).status).toBe(403);
  });
});

describe('a URL is FORBIDDEN', () => {
  const hls = () => urlOf({ file: 'hls.m3u8' });
  const alone = () => urlOf({ file: 'stream_0.mp4', scope: 'file' });

  it.each([
    ['with the path of another file', () => alone().replace('stream_0.mp4', 'log.txt')],
    ['with the path of another output', () => hls().replace('/output/', '/small/')],
    ['with the path of another job', () => hls().replace(String(own), String(other))],
    ['with a later end', () => changed(hls(), 'e', 'zzzzzz')],
    [
      'with another text of the same end',
      () => changed(hls(), 'e', `0${new URL(hls()).searchParams.get('e')}`),
    ],
    ['with another signature', () => changed(hls(), 's', 'A'.repeat(22))],
    ['with a part of the signature', () => changed(hls(), 's', 'cut')],
    [
      'of another attempt',
      () => changed(hls(), 's', new URL(urlOf({ file: 'hls.m3u8', attempt: 2 })).searchParams.get('s') ?? ''),
    ],
    ['after its end', () => urlOf({ file: 'hls.m3u8', lifetimeSeconds: -1 })],
  ])('%s', async (_, url) => {
    const { status, text } = await open(url());
    expect([status, JSON.parse(text).error.code]).toEqual([403, 'FORBIDDEN']);
  });

  it('with another text of the same signature', async () => {
    const signature = new URL(hls()).searchParams.get('s') ?? '';
    const others = equivalentBase64(signature);
    expect(others).toHaveLength(15);
    for (const other of others) expect((await open(changed(hls(), 's', other))).status).toBe(403);
    expect((await open(hls())).status).toBe(200);
  });
});

describe('a URL is NOT_FOUND', () => {
  const hls = () => urlOf({ file: 'hls.m3u8' });

  it.each([
    ['of an unknown job', () => hls().replace(String(own), aJobId(9))],
    ['of another owner', () => changed(hls(), 'o', 'owner-2')],
    ['of an owner that no table key has', () => changed(hls(), 'o', 'owner-1#JOBS')],
    ['of a missing file', () => urlOf({ file: 'stream_7.mp4' })],
  ])('%s', async (_, url) => {
    const { status, text } = await open(url());
    expect([status, JSON.parse(text).error.code]).toEqual([404, 'NOT_FOUND']);
  });

  it('once its files have expired', async () => {
    const url = urlOf({ file: 'hls.m3u8', lifetimeSeconds: 9e7 });
    expect((await open(url, 8e7)).status).toBe(404);
  });

  it('once its job is deleted', async () => {
    const jobId = aJobId(5);
    await complete(jobId, ['hls.m3u8', 'stream_0.mp4']);
    const url = urlOf({ file: 'stream_0.mp4', jobId });
    expect((await open(url)).status).toBe(302);
    const job = (await jobs.get({ ownerId: 'owner-1', jobId })) as JobIn<'completed'>;
    expect((await jobs.write(deleteJob(job, clock.now()))).written).toBe(true);
    expect((await open(url)).status).toBe(404);
  });
});

it.each([
  ['hls', 'gone.mp4'],
  ['..', '..'],
  ['a path', '..%2f..%2fhls.m3u8'],
  ['', '%00'],
])('a name that is no file of the job is FORBIDDEN or NOT_FOUND: %s', async (_, file) => {
  expect([403, 404]).toContain((await open(urlOf({ file: 'hls.m3u8' }).replace('hls.m3u8', file))).status);
});

it('a playlist that is gone from the storage is NOT_FOUND', async () => {
  const { status, text } = await open(urlOf({ file: 'media_9.m3u8', jobId: foreign }));
  expect([status, text]).toEqual([404, expect.not.stringMatching(/<|AccessDenied/)]);
});

it('a playlist above 8 MiB is PAYLOAD_TOO_LARGE', async () => {
  const { status, text } = await open(urlOf({ file: 'media_0.m3u8', jobId: foreign }));
  expect([status, JSON.parse(text)]).toMatchObject([
    413,
    { error: { code: 'PAYLOAD_TOO_LARGE', retryable: false } },
  ]);
});

it('the error of a missing parameter names it', async () => {
  const url = new URL(urlOf({ file: 'hls.m3u8' }));
  url.searchParams.delete('s');
  expect(await open(url.href)).toMatchObject({
    status: 400,
    text: expect.stringContaining('query.s: Required'),
  });
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

describe('a playlist that this service did not write is not returned', () => {
  it.each([
    ['an address elsewhere', 'media_1.m3u8'],
    ['a second stream in the playlist of one', 'media_2.m3u8'],
    ['a file that is not of the set', 'dash.mpd'],
    ['the cues of a sprite as subtitles', 'subtitles_0.m3u8'],
    ['a media file in the place of a playlist', 'hls.m3u8'],
    ['51 sheets of a sprite', 'sprite.vtt'],
  ] as const)('%s', async (_, file) => {
    const logged = vi.spyOn(logger, 'error').mockImplementation(() => {});
    const { status, text } = await open(urlOf({ file, jobId: foreign }));
    expect(logged).toHaveBeenCalledOnce();
    expect([status, JSON.parse(text).error.code]).toEqual([500, 'INTERNAL_ERROR']);
  });
});
