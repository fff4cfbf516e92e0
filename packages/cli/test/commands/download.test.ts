import { randomUUID } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import type { JobResource } from '@media-jobs/core/api';
import { completedJobExample, queuedJobExample } from '@media-jobs/core/api';
import { aTemporaryFolder } from '@media-jobs/testing/temporary-folder';
import { aWebServer } from '@media-jobs/testing/web-server';
import { beforeEach, describe, expect, it } from 'vitest';
import { safeFilename } from '../../src/transfer/destinations.ts';
import { aStubApi } from '../builders/a-stub-api.ts';
import { runCli } from '../builders/run-cli.ts';

const content = `${'first'.repeat(20_000)}${'other'.repeat(20_000)}`;
const removedProvider = JSON.stringify({
  error: { code: 'NOT_FOUND', message: 'The storage provider of the file was removed.', retryable: false },
});
const { jobId } = completedJobExample;
let folder: string;
/** The rest of this response to `/held` is not sent. */
let held: ServerResponse;

const storage = await aWebServer(({ path, headers }, response) => {
  const half = content.length / 2;
  response.setHeader('etag', '"a"');
  if (path.startsWith('/expired')) response.writeHead(403).end();
  else if (path.startsWith('/bad-credentials')) response.writeHead(400).end();
  else if (path.startsWith('/deleted')) response.writeHead(404).end('<Error><Code>NoSuchKey</Code></Error>');
  else if (path.startsWith('/provider-removed')) response.writeHead(404).end(removedProvider);
  else if (path.includes('/hls.m3u8')) response.end('#EXTM3U\nstream_0.mp4?o=a&s=5d1f\n');
  else if (path.startsWith('/unavailable')) response.writeHead(503).end();
  else if (path.startsWith('/drops')) {
    const from = Number(/^bytes=(\d+)-$/.exec(headers.range ?? '')?.[1] ?? 0);
    const until = Math.min(content.length, from + content.length / 8);
    response.writeHead(from === 0 ? 200 : 206, { 'content-length': content.length - from });
    const isLast = until === content.length;
    response.write(content.slice(from, until), () => (isLast ? response.end() : response.destroy()));
  } else if (path.startsWith('/held')) {
    held = response;
    response.write('held'.repeat(10_000));
  } else if (path.startsWith('/truncated'))
    response.writeHead(200, { 'content-length': 9 }).end('half', () => response.destroy());
  else if (headers.range === `bytes=${half}-`) response.writeHead(206).end(content.slice(half));
  else if (path.startsWith('/halves')) {
    response.setHeader('content-length', content.length);
    response.write(content.slice(0, half), () => response.destroy());
  } else response.end(content);
});
beforeEach(async () => {
  folder = await aTemporaryFolder();
});

const single = (path = '/video'): JobResource => ({
  ...completedJobExample,
  output: { signedUrl: `${storage.origin}${path}?o=a&e=t0&s=5d1f`, expiresAt: completedJobExample.updatedAt },
});

/** Runs `download` in the folder of this test. */
async function download(job: JobResource, ...args: string[]) {
  const api = await aStubApi({ [`GET /api/v1/jobs/${jobId}`]: { status: 200, body: job } });
  return runCli(['download', jobId, ...args], { baseUrl: api.origin, workingDirectory: folder, newId: randomUUID });
}

describe('a download', () => {
  it('goes to the current folder under the filename of the record', async () => {
    const { exitCode, out } = await download(single());
    expect([exitCode, out]).toEqual([0, `200 kB  ${join(folder, 'beach.mp4')}\n`]);
    expect(await readFile(join(folder, 'beach.mp4'), 'utf8')).toBe(content);
    expect(await readdir(folder)).toEqual(['beach.mp4']);
  });

  it.each([
    ['a file', 'small.mp4', 'small.mp4'],
    ['an existing folder', '.', 'beach.mp4'],
    ['a new folder', 'made/here/', 'made/here/beach.mp4'],
  ])('goes to %s', async (_, argument, path) => {
    const { out } = await download(single(), argument, '--json');
    const files = [{ name: 'output', path: join(folder, path), sizeBytes: 200_000 }];
    expect(JSON.parse(out)).toEqual({ jobId, files });
    expect(await readFile(join(folder, path), 'utf8')).toBe(content);
  });

  it.each([
    ['the current folder', [], jobId],
    ['an existing folder', ['.'], jobId],
    ['a path with a slash', ['videos/'], `videos/${jobId}`],
    ['a new path', ['talk'], 'talk'],
  ])('of several files to %s has a folder of its own', async (_, args, made) => {
    const outputs = { one: `${storage.origin}/one`, two: `${storage.origin}/two` };
    const { output: __, output_files: files = {}, ...rest } = completedJobExample;
    const record = files.output as NonNullable<(typeof files)['output']>;
    const output_files = { one: { ...record, filename: '1.jpg' }, two: { ...record, filename: '2.jpg' } };
    expect((await download({ ...rest, outputs, output_files }, ...args)).exitCode).toBe(0);
    expect((await readdir(join(folder, made))).sort()).toEqual(['1.jpg', '2.jpg']);
  });

  it('of a stream keeps the object names that its playlists reference, beside the files of named steps', async () => {
    const { output: _, output_files: files = {}, ...rest } = completedJobExample;
    const record = files.output as NonNullable<(typeof files)['output']>;
    const stored = (path: string) => `${storage.origin}/files/${path}?o=a&e=t0&s=5d1f`;
    const output_files = {
      large: { ...record, storage_url: stored('large/output.mp4') },
      small: { ...record, storage_url: stored('small/output.mp4') },
      hls: { ...record, file_format: 'm3u8', storage_url: stored('output/hls.m3u8') },
      '720p': { ...record, filename: 'beach-stream_0.mp4', storage_url: stored('output/stream_0.mp4') },
    };
    const outputs = Object.fromEntries(
      Object.entries(output_files).map(([name, { storage_url }]) => [name, storage_url]),
    );
    expect((await download({ ...rest, outputs, output_files })).exitCode).toBe(0);
    const names = ['hls.m3u8', 'large.mp4', 'small.mp4', 'stream_0.mp4'];
    expect((await readdir(join(folder, jobId))).sort()).toEqual(names);
    expect(await readFile(join(folder, jobId, 'hls.m3u8'), 'utf8')).toBe('#EXTM3U\nstream_0.mp4\n');
  });

  it('of sets beside other outputs has each file once, in a folder for each set', async () => {
    const { output: _, output_files: files = {}, ...rest } = completedJobExample;
    const record = files.output as NonNullable<(typeof files)['output']>;
    const stored = (path: string) => `${storage.origin}/files/${path}?o=a&e=t0&s=5d1f`;
    const hls = { ...record, file_format: 'm3u8', storage_url: stored('wide/hls.m3u8') };
    const output_files = {
      'wide/hls': hls,
      'wide/720p': { ...record, storage_url: stored('wide/stream_0.mp4') },
      wide: hls,
      'narrow/hls': { ...hls, storage_url: stored('narrow/hls.m3u8') },
      poster: { ...record, file_format: 'jpg', storage_url: stored('poster/output.jpg') },
    };
    const outputs = Object.fromEntries(
      Object.entries(output_files).map(([name, { storage_url }]) => [name, storage_url]),
    );
    const { exitCode, out } = await download({ ...rest, outputs, output_files }, '--json');
    expect(exitCode).toBe(0);
    const paths = (JSON.parse(out) as { files: { path: string }[] }).files.map(({ path }) => path);
    expect(paths).toEqual(
      ['wide/hls.m3u8', 'wide/stream_0.mp4', 'narrow/hls.m3u8', 'poster.jpg'].map((path) => join(folder, jobId, path)),
    );
  });

  it('never overwrites a file', async () => {
    await writeFile(join(folder, 'beach.mp4'), 'own');
    const { exitCode, err } = await download(single());
    expect(err).toBe(`${join(folder, 'beach.mp4')} already exists.\nAdd --force to overwrite it.\n`);
    expect(exitCode).toBe(6);
    expect(await readFile(join(folder, 'beach.mp4'), 'utf8')).toBe('own');
  });

  it('leaves a file with the suffix .part as it is', async () => {
    await writeFile(join(folder, 'beach.mp4.part'), 'own');
    expect((await download(single())).exitCode).toBe(0);
    expect(await readFile(join(folder, 'beach.mp4.part'), 'utf8')).toBe('own');
  });

  it('of two downloads to one file at a time, the later one to end fails and leaves the file as it is', async () => {
    const later = download(single('/held'));
    await storage.seen(1, '/held');
    expect((await download(single())).exitCode).toBe(0);
    held.end('held'.repeat(10_000));
    const { exitCode, err } = await later;
    expect([exitCode, err]).toEqual([6, expect.stringContaining('beach.mp4 already exists.')]);
    expect(await readFile(join(folder, 'beach.mp4'), 'utf8')).toBe(content);
    expect(await readdir(folder)).toEqual(['beach.mp4']);
  });

  it('with --force overwrites a file', async () => {
    await writeFile(join(folder, 'beach.mp4'), 'own');
    expect((await download(single(), '--force')).exitCode).toBe(0);
    expect(await readFile(join(folder, 'beach.mp4'), 'utf8')).toBe(content);
  });

  it.each([
    ['/truncated', 5, 'The download was interrupted: other side closed'],
    ['/expired', 4, 'The storage rejected the download (403).'],
    ['/deleted', 4, 'The storage rejected the download (404).\n'],
    ['/provider-removed', 4, 'The storage provider of the file was removed.'],
  ])('that fails from %s exits with %i, leaves no file and does not show the URL', async (path, expected, message) => {
    const { exitCode, err } = await download(single(path));
    expect(err).toContain(message);
    expect(err).not.toContain('5d1f');
    expect(err).not.toContain('MEDIA_JOBS_URL');
    expect([exitCode, await readdir(folder)]).toEqual([expected, []]);
  });

  it.each([[], ['--force']])('after a submission does not replace its input: %j', async (...options) => {
    const input = join(folder, 'beach.mp4');
    await writeFile(input, 'own');
    const upload = {
      inputUrl: `upload://${jobId}/beach.mp4`,
      uploadUrl: `${storage.origin}/put`,
      expiresAt: completedJobExample.updatedAt,
    };
    const api = await aStubApi({
      'POST /api/v1/uploads': { status: 201, body: upload },
      'POST /api/v1/jobs': { status: 201, body: queuedJobExample },
      [`GET /api/v1/jobs/${jobId}`]: { status: 200, body: single() },
    });
    const { exitCode, err } = await runCli(['submit', 'beach.mp4', '--recipe', 'compress', '--download', ...options], {
      baseUrl: api.origin,
      workingDirectory: folder,
      newId: randomUUID,
    });
    expect(exitCode, err).toBe(0);
    expect(await readFile(input, 'utf8')).toBe('own');
    expect(await readFile(join(folder, 'beach-output.mp4'), 'utf8')).toBe(content);
  });

  it('that was interrupted resumes with a range request', async () => {
    const { exitCode } = await download(single('/halves'));
    expect(exitCode).toBe(0);
    expect(await readFile(join(folder, 'beach.mp4'), 'utf8')).toBe(content);
    const requests = storage.requests.filter(({ path }) => path.startsWith('/halves'));
    expect(requests.map(({ headers }) => [headers.range, headers['if-range']])).toEqual([
      [undefined, undefined],
      ['bytes=100000-', '"a"'],
    ]);
  });

  it('resumes as long as each attempt makes progress', async () => {
    const { exitCode, err } = await download(single('/drops'));
    expect(exitCode, err).toBe(0);
    expect(await readFile(join(folder, 'beach.mp4'), 'utf8')).toBe(content);
    expect(storage.requests.filter(({ path }) => path.startsWith('/drops'))).toHaveLength(8);
  });

  it('backs off while the storage is unavailable', async () => {
    const api = await aStubApi({ [`GET /api/v1/jobs/${jobId}`]: { status: 200, body: single('/unavailable') } });
    const delays: number[] = [];
    const { exitCode } = await runCli(['download', jobId], {
      baseUrl: api.origin,
      workingDirectory: folder,
      sleep: async (milliseconds) => void delays.push(milliseconds),
    });
    expect([exitCode, delays]).toEqual([5, [1_000, 2_000, 4_000]]);
  });

  it.each([
    ['has expired', '/expired'],
    ['was signed by expired credentials', '/bad-credentials'],
  ])('whose URL %s continues with a new URL', async (_, path) => {
    const route = `GET /api/v1/jobs/${jobId}`;
    const responses = [path, '/video'].map((at) => ({ status: 200, body: single(at) }));
    const api = await aStubApi({ [route]: responses });
    const { exitCode } = await runCli(['download', jobId], { baseUrl: api.origin, workingDirectory: folder });
    expect([exitCode, api.requests.length]).toEqual([0, 2]);
    expect(await readFile(join(folder, 'beach.mp4'), 'utf8')).toBe(content);
  });

  it('of expired files names the time of expiry', async () => {
    const { output: _, output_files: __, ...rest } = completedJobExample;
    const { exitCode, err } = await download(rest);
    expect(exitCode).toBe(4);
    expect(err).toContain(`The files of job ${jobId} expired at ${completedJobExample.filesExpireAt}.\n`);
  });

  it('of a job without files is an error', async () => {
    const { exitCode, err } = await download(queuedJobExample);
    expect([exitCode, err]).toEqual([4, `Job ${jobId} has no files: it is queued.\n`]);
  });
});

it.each([
  ['beach.mp4', 'beach.mp4'],
  ['../../etc/passwd', 'passwd'],
  ['C:\\Windows\\win.ini', 'win.ini'],
  ['.bashrc', 'bashrc'],
  ['../..', `${jobId}-output.mp4`],
  ['a\u001b[31m:b?.mp4', 'a_b_.mp4'],
  ['', `${jobId}-output.mp4`],
])('the filename %j is saved as %j', (filename, saved) => {
  const { output_files: files = {} } = completedJobExample;
  const record = files.output as NonNullable<(typeof files)['output']>;
  expect(safeFilename({ ...completedJobExample, output_files: { output: { ...record, filename } } }, 'output')).toBe(
    saved,
  );
});
