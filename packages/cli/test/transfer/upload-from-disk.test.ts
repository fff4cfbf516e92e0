import { truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ReceivedRequest } from '@media-jobs/testing/web-server';
import { describe, expect, it } from 'vitest';
import type { ProcessContext } from '../../src/context/command-context.ts';
import { anApiKey, runCli } from '../builders/run-cli.ts';
import { content, inputUrl, multipart, singlePut, uploadStage } from '../builders/upload-stage.ts';

const stage = uploadStage();
const { submitTo, requests, body } = stage;

describe('a file', () => {
  it('that a parameter names is uploaded too', async () => {
    writeFileSync(join(stage.folder, 'en.vtt'), 'WEBVTT');
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
    writeFileSync(join(stage.folder, name), content);
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
      truncateSync(stage.video, 10);
      return singlePut(origin);
    };
    const { exitCode, err } = await submitTo({ target });
    expect(err).toContain('video.mp4 changed during the upload.');
    expect([exitCode, requests('/api/v1/jobs')]).toEqual([6, []]);
  });
});

it('a file that a parameter names is uploaded too, each file once', async () => {
  writeFileSync(join(stage.folder, 'logo.png'), 'an image');
  const target = (origin: string) => ({
    ...singlePut(origin),
    inputUrl: `upload://${stage.service().requests.length}`,
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
    XDG_CACHE_HOME: join(stage.folder, 'cache'),
  });
  /** Runs once more, against the service that answered the run before. */
  const again = (args: string[], more: Partial<ProcessContext> = {}) => {
    const own = { ...environment(), MEDIA_JOBS_URL: stage.service().origin };
    return runCli(args, { workingDirectory: stage.folder, environment: own, ...more });
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
    writeFileSync(stage.video, `${content}, changed`);
    await again(upload, { now });
    expect(requests('/put')).toHaveLength(4);
  });

  it('an interrupted upload in parts continues with the parts that have not arrived', async () => {
    let isBroken = true;
    await submitTo({ target: multipart, put: ({ path }) => (isBroken && path.startsWith('/part-2') ? 503 : 200) });
    expect((await again(upload)).exitCode).toBe(5);
    const sent = requests('/part-').length;
    [isBroken, stage.arrivedParts] = [false, [1, 3]];
    expect((await again(upload)).out).toBe(`${inputUrl}\n`);
    expect(
      requests('/part-')
        .slice(sent)
        .map(({ path }) => path.split('?')[0]),
    ).toEqual(['/part-2']);
    expect(body('/api/v1/uploads/upload-1/complete').parts).toHaveLength(3);
  });
});
