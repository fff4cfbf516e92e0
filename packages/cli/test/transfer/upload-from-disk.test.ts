import { truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { queuedJobExample } from '@media-jobs/core/api';
import { aTemporaryFolder } from '@media-jobs/testing/temporary-folder';
import { aWebServer, type ReceivedRequest, type WebServer } from '@media-jobs/video/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ProcessContext } from '../../src/context/command-context.ts';
import { anApiKey, runCli } from '../builders/run-cli.ts';

const content = Array.from({ length: 50_000 }, (_, line) => `line ${line} of a video\n`).join('');
const inputUrl = 'upload://019a2c5e-7d10-7b3a-9f4e-2f1f6a0c9d11/video.mp4';
const expiresAt = '2026-11-21T10:23:31.050Z';

let folder: string;
let video: string;
let service: WebServer;

beforeEach(async () => {
  folder = await aTemporaryFolder();
  video = join(folder, 'video.mp4');
  writeFileSync(video, content);
});
afterEach(async () => {
  arrivedParts = [];
  await service.close();
});

type Storage = {
  /** The response of POST /uploads for a storage at `origin`. */
  target: (origin: string) => object;
  /** The status and `Retry-After` of POST /uploads, by the number of earlier ones. */
  create?: (before: number) => [status: number, retryAfter?: string];
  /** The status of a PUT; `before` counts earlier PUTs of the same URL. */
  put?: (request: ReceivedRequest, before: number) => number;
  /** The status of a request to complete the upload, by the number of earlier ones. */
  complete?: (before: number) => number;
};

type Overrides = Partial<ProcessContext> & { args?: string[] };

/** Submits the video to an API that is also its own storage. `service.requests` has what it received. */
async function submitTo(
  { target, create = () => [201], put = () => 200, complete = () => 201 }: Storage,
  { args = ['video.mp4', '--recipe', 'mute'], ...overrides }: Overrides = {},
) {
  service = await aWebServer((request, response, before) => {
    const { method, path } = request;
    if (method === 'PUT') {
      response.writeHead(put(request, before.length), { etag: `"${path.split('?')[0]}"` }).end();
      return;
    }
    const [status, retryAfter] = path.endsWith('/uploads')
      ? create(before.length)
      : [path.endsWith('/complete') ? complete(before.length) : 201];
    response.writeHead(status, {
      'content-type': 'application/json',
      ...(retryAfter === undefined ? {} : { 'retry-after': retryAfter }),
    });
    const answer = failures[status] ?? responseTo(request, target, before.length);
    response.end(JSON.stringify(answer));
  });
  return runCli(['submit', ...args], { baseUrl: service.origin, workingDirectory: folder, ...overrides });
}

const failure = (code: string, retryable: boolean) => ({
  error: { code, message: 'Not this time.', retryable, requestId: 'r-1' },
});
const failures: Record<number, object> = {
  404: failure('NOT_FOUND', false),
  429: failure('LIMIT_EXCEEDED', true),
  503: failure('UNAVAILABLE', true),
};

function responseTo({ method, path, body }: ReceivedRequest, target: Storage['target'], before: number): object {
  if (path.endsWith('/uploads')) return target(service.origin);
  if (method === 'GET') {
    const parts = arrivedParts.map((partNumber) => ({
      partNumber,
      sizeBytes: partSizeBytes,
      etag: `"/part-${partNumber}"`,
    }));
    return { parts, partSizeBytes };
  }
  if (!path.endsWith('/parts')) return queuedJobExample;
  const { partNumbers } = JSON.parse(body) as { partNumbers: number[] };
  const signature = `renewed-${before + 1}`;
  const partUrls = partNumbers.map((part) => `${service.origin}/part-${part}?X-Amz-Signature=${signature}`);
  return { partUrls, expiresAt };
}

/** What the storage lists of a multipart upload. */
let arrivedParts: number[] = [];

const requests = (path: string) => service.requests.filter((request) => request.path.startsWith(path));
const body = (path: string) => JSON.parse(requests(path).at(-1)?.body ?? '');

const singlePut = (origin: string) => ({
  inputUrl,
  uploadUrl: `${origin}/put?X-Amz-Signature=5d1f`,
  expiresAt,
});
const partSizeBytes = Math.ceil(content.length / 3);
const multipart = (origin: string) => ({
  inputUrl,
  uploadId: 'upload-1',
  partUrls: [1, 2, 3].map((part) => `${origin}/part-${part}?X-Amz-Signature=5d1f`),
  partSizeBytes,
  expiresAt,
});

describe('a file', () => {
  it('that a parameter names is uploaded too', async () => {
    writeFileSync(join(folder, 'en.vtt'), 'WEBVTT');
    const captions = { url: 'en.vtt', language: 'en' };
    const args = ['video.mp4', '--recipe', 'hls', '--subtitles', JSON.stringify([captions])];
    const { exitCode, err } = await submitTo({ target: singlePut }, { args });
    expect(exitCode, err).toBe(0);
    expect(requests('/put').map(({ body: sent }) => sent.length)).toEqual([content.length, 6]);
    expect(body('/api/v1/jobs').recipe.subtitles).toEqual([{ ...captions, url: inputUrl }]);
  });

  it('a file is uploaded with progress and becomes the input of the job', async () => {
    const { exitCode, err } = await submitTo({ target: singlePut });
    expect(exitCode, err).toBe(0);
    expect(body('/api/v1/uploads')).toEqual({
      sizeBytes: content.length,
      filename: 'video.mp4',
      contentType: 'video/mp4',
    });
    const [put] = requests('/put');
    expect(put?.headers['content-length']).toBe(String(content.length));
    expect(put?.body === content).toBe(true);
    expect(body('/api/v1/jobs').input).toEqual({ url: inputUrl });
    expect(err).toMatch(/^ +\d+ % {2}uploading {2}video\.mp4\n {2}100 % {2}uploaded {2}video\.mp4\n/);
  });

  it('an upload is retried with the same URL, because each new one counts towards the daily limit', async () => {
    const { exitCode } = await submitTo({ target: singlePut, put: (_, before) => (before < 2 ? 500 : 200) });
    expect([exitCode, requests('/put').map((put) => put.body === content)]).toEqual([0, [true, true, true]]);
    expect(requests('/api/v1/uploads')).toHaveLength(1);
  });

  it.each([403, 400])(
    'a retried upload gets a new URL if the storage answers %i, because the first one may have expired',
    async (status) => {
      const target = (origin: string) => {
        const begun = requests('/api/v1/uploads').length;
        return { ...singlePut(origin), uploadUrl: `${origin}/put-${begun}`, inputUrl: `upload://${begun}` };
      };
      const expired = (before: number) => (before === 0 ? 503 : status);
      const put = ({ path }: ReceivedRequest, before: number) => (path === '/put-1' ? expired(before) : 200);
      const { exitCode } = await submitTo({ target, put });
      expect([exitCode, requests('/put').map(({ path }) => path)]).toEqual([0, ['/put-1', '/put-1', '/put-2']]);
      expect(body('/api/v1/jobs').input).toEqual({ url: 'upload://2' });
    },
  );

  it.each([
    ['waits for the Retry-After of a short outage', 503, '2', [2_000], 2, 0],
    ['fails at once when the daily limit is reached', 429, '36000', [], 1, 5],
  ] as const)('an upload %s', async (_, status, retryAfter, delays, calls, expected) => {
    const waited: number[] = [];
    const { exitCode, err } = await submitTo(
      { target: singlePut, create: (before) => (before === 0 ? [status, retryAfter] : [201]) },
      { sleep: async (milliseconds) => void waited.push(milliseconds) },
    );
    expect([exitCode, waited, requests('/api/v1/uploads').length], err).toEqual([expected, delays, calls]);
    if (expected !== 0) expect(err).toContain('Try again in 10 h.\nNo job was submitted.');
  });

  it('the filename of an upload is cut to well-formed text', async () => {
    const name = `🎬${'a'.repeat(195)}.mp4`;
    writeFileSync(join(folder, name), content);
    const { exitCode, err } = await submitTo({ target: singlePut }, { args: [name, '--recipe', 'mute'] });
    expect(exitCode, err).toBe(0);
    expect(body('/api/v1/uploads').filename).toBe(`\ufffd${'a'.repeat(195)}.mp4`);
  });

  it('an upload backs off while the storage is unavailable', async () => {
    const delays: number[] = [];
    const { exitCode } = await submitTo(
      { target: singlePut, put: () => 503 },
      { sleep: async (milliseconds) => void delays.push(milliseconds) },
    );
    expect([exitCode, requests('/put').length, delays]).toEqual([5, 5, [1_000, 2_000, 4_000, 8_000]]);
  });

  it('a file that the storage rejects is not submitted, and its signed URL is not shown', async () => {
    const { exitCode, err } = await submitTo({ target: singlePut, put: () => 403 });
    expect(err).toContain('The storage rejected video.mp4 (403).\nNo job was submitted.\n');
    expect(err).not.toContain('5d1f');
    expect([exitCode, requests('/put').length, requests('/api/v1/jobs')]).toEqual([4, 1, []]);
  });

  it('a file that changes during the upload is an error', async () => {
    const target = (origin: string) => {
      truncateSync(video, 10);
      return singlePut(origin);
    };
    const { exitCode, err } = await submitTo({ target });
    expect(err).toContain('video.mp4 changed during the upload.');
    expect([exitCode, requests('/api/v1/jobs')]).toEqual([6, []]);
  });
});

it('a file that a parameter names is uploaded too, each file once', async () => {
  writeFileSync(join(folder, 'logo.png'), 'an image');
  const target = (origin: string) => ({
    ...singlePut(origin),
    inputUrl: `upload://${service.requests.length}`,
  });
  const { exitCode, err } = await submitTo(
    { target },
    { args: ['video.mp4', '--recipe', 'watermark', '--image', 'logo.png'] },
  );
  expect(exitCode, err).toBe(0);
  const { input, recipe } = body('/api/v1/jobs');
  expect(requests('/put').map((put) => put.body === content || put.body)).toEqual([true, 'an image']);
  expect([input.url, recipe]).toEqual(['upload://1', { name: 'watermark', image: 'upload://3' }]);
});

describe('with a folder for caches', () => {
  const environment = () => ({
    MEDIA_JOBS_URL: 'http://127.0.0.1:1',
    MEDIA_JOBS_KEY: anApiKey,
    XDG_CACHE_HOME: join(folder, 'cache'),
  });
  /** Runs once more, against the service that answered the run before. */
  const again = (args: string[], more: Partial<ProcessContext> = {}) => {
    const own = { ...environment(), MEDIA_JOBS_URL: service.origin };
    return runCli(args, { workingDirectory: folder, environment: own, ...more });
  };
  const upload = ['upload', 'video.mp4'];

  it('a file goes up once in seven days, whatever command needs it', async () => {
    await submitTo({ target: singlePut });
    const started = Date.now();
    const now = () => started;
    expect((await again(upload, { now })).out).toBe(`${inputUrl}\n`);
    const { exitCode, err } = await again(['submit', 'video.mp4', '--recipe', 'mute'], { now });
    expect(exitCode, err).toBe(0);
    expect(err).toContain('uploaded before');
    expect(requests('/put')).toHaveLength(2);
    await again(upload, { now: () => started + 8 * 24 * 3_600_000 });
    writeFileSync(video, `${content}, changed`);
    await again(upload, { now });
    expect(requests('/put')).toHaveLength(4);
  });

  it('an interrupted upload in parts continues with the parts that have not arrived', async () => {
    let isBroken = true;
    await submitTo({
      target: multipart,
      put: ({ path }) => (isBroken && path.startsWith('/part-2') ? 503 : 200),
    });
    expect((await again(upload)).exitCode).toBe(5);
    const sent = requests('/part-').length;
    [isBroken, arrivedParts] = [false, [1, 3]];
    expect((await again(upload)).out).toBe(`${inputUrl}\n`);
    expect(
      requests('/part-')
        .slice(sent)
        .map(({ path }) => path.split('?')[0]),
    ).toEqual(['/part-2']);
    expect(body('/api/v1/uploads/upload-1/complete').parts).toHaveLength(3);
  });
});

describe('a multipart upload', () => {
  it('a multipart upload retries a failed part and completes with all parts in order', async () => {
    const isSecondPart = ({ path }: ReceivedRequest) => path.startsWith('/part-2');
    const put = (request: ReceivedRequest, before: number) => (isSecondPart(request) && before === 0 ? 503 : 200);
    const { exitCode, err } = await submitTo({ target: multipart, put });
    expect(exitCode, err).toBe(0);
    const received = ['/part-1', '/part-2', '/part-3'].map((path) => requests(path).at(-1)?.body).join('');
    expect(received === content).toBe(true);
    expect(requests('/part-2')).toHaveLength(2);
    const parts = [1, 2, 3].map((partNumber) => ({ partNumber, etag: `"/part-${partNumber}"` }));
    expect(body('/api/v1/uploads/upload-1/complete')).toEqual({ parts });
    expect(body('/api/v1/jobs').input).toEqual({ url: inputUrl });
  });

  it('an upload backs off while the storage is unavailable', async () => {
    const delays: number[] = [];
    const put = ({ path }: ReceivedRequest) => (path.startsWith('/part-2') ? 503 : 200);
    const sleep = async (milliseconds: number) => void delays.push(milliseconds);
    const { exitCode } = await submitTo({ target: multipart, put }, { sleep });
    expect([exitCode, requests('/part-2').length, delays]).toEqual([5, 5, [1_000, 2_000, 4_000, 8_000]]);
  });

  it.each([
    ['its URLs', 403],
    ['the credentials that signed them', 400],
  ])('a multipart upload that outlives %s continues with new URLs, keeping uploaded parts', async (_, rejection) => {
    const hasExpired = ({ path }: ReceivedRequest) => !path.startsWith('/part-1') && !path.includes('renewed');
    const put = (request: ReceivedRequest) => (hasExpired(request) ? rejection : 200);
    const { exitCode, err } = await submitTo({ target: multipart, put });
    expect(exitCode, err).toBe(0);
    const renewed = requests('/api/v1/uploads/upload-1/parts');
    const partNumbers = renewed.flatMap((request) => JSON.parse(request.body).partNumbers).toSorted();
    expect(partNumbers).toEqual([2, 3]);
    expect(requests('/part-1')).toHaveLength(1);
    expect(body('/api/v1/uploads/upload-1/complete').parts).toHaveLength(3);
  });

  it.each([
    ['the service fails', [503, 503, 201]],
    ['a lost response leaves it complete', [504, 404]],
  ])('a multipart upload is completed again when %s', async (_, statuses) => {
    const complete = (before: number) => statuses[before] ?? 500;
    const { exitCode, err } = await submitTo({ target: multipart, complete });
    expect(exitCode, err).toBe(0);
    expect(requests('/api/v1/uploads/upload-1/complete')).toHaveLength(statuses.length);
    expect(requests('/part-1')).toHaveLength(1);
    expect(body('/api/v1/jobs').input).toEqual({ url: inputUrl });
  });

  it('a multipart upload that does not exist is not submitted', async () => {
    const { exitCode } = await submitTo({ target: multipart, complete: () => 404 });
    expect([exitCode, requests('/api/v1/jobs')]).toEqual([4, []]);
  });

  it('a multipart upload with a part that is rejected under a new URL too is not completed', async () => {
    const put = ({ path }: ReceivedRequest) => (path.startsWith('/part-3') ? 403 : 200);
    const { exitCode } = await submitTo({ target: multipart, put });
    expect([exitCode, requests('/part-3').length]).toEqual([4, 2]);
    expect([requests('/api/v1/uploads/upload-1/complete'), requests('/api/v1/jobs')]).toEqual([[], []]);
  });
});
