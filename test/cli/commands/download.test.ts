import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { safeFilename } from '../../../cli/transfer/destinations.ts';
import { completedJobExample, queuedJobExample } from '../../../core/api/job-examples.ts';
import type { JobResource } from '../../../core/api/job-resource.ts';
import { runCli } from '../../builders/cli/run-cli.ts';
import { aStubApi } from '../../builders/http/a-stub-api.ts';
import { aWebServer, type WebServer } from '../../builders/http/web-server.ts';

const content = `${'first'.repeat(20_000)}${'other'.repeat(20_000)}`;
const { jobId } = completedJobExample;
let storage: WebServer;
let folder: string;

beforeAll(async () => {
  storage = await aWebServer(({ path, headers }, response) => {
    const half = content.length / 2;
    response.setHeader('etag', '"a"');
    if (path.startsWith('/gone')) response.writeHead(403).end();
    else if (path.startsWith('/unsigned')) response.writeHead(400).end();
    else if (path.startsWith('/away')) response.writeHead(503).end();
    else if (path.startsWith('/drops')) {
      const from = Number(/^bytes=(\d+)-$/.exec(headers.range ?? '')?.[1] ?? 0);
      const until = Math.min(content.length, from + content.length / 8);
      response.writeHead(from === 0 ? 200 : 206, { 'content-length': content.length - from });
      const isLast = until === content.length;
      response.write(content.slice(from, until), () => (isLast ? response.end() : response.destroy()));
    } else if (path.startsWith('/torn'))
      response.writeHead(200, { 'content-length': 9 }).end('torn', () => response.destroy());
    else if (headers.range === `bytes=${half}-`) response.writeHead(206).end(content.slice(half));
    else if (path.startsWith('/halves')) {
      response.setHeader('content-length', content.length);
      response.write(content.slice(0, half), () => response.destroy());
    } else response.end(content);
  });
});
afterAll(() => storage.close());
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'media-jobs-cli-'));
});
afterEach(() => rm(folder, { recursive: true }));

const single = (path = '/film'): JobResource => ({
  ...completedJobExample,
  output: {
    signedUrl: `${storage.origin}${path}?X-Amz-Signature=5d1f`,
    expiresAt: completedJobExample.updatedAt,
  },
});

/** Downloads the files of a job in the folder of this test. */
async function download(job: JobResource, ...args: string[]) {
  const api = await aStubApi({ [`GET /api/v1/jobs/${jobId}`]: { status: 200, body: job } });
  return runCli(['download', jobId, ...args], { baseUrl: api.origin, workingDirectory: folder }).finally(
    api.close,
  );
}

describe('a download', () => {
  it('goes into this folder under the name in the record', async () => {
    const { exitCode, out } = await download(single());
    expect([exitCode, out]).toEqual([0, `200 kB  ${join(folder, 'beach.mp4')}\n`]);
    expect(await readFile(join(folder, 'beach.mp4'), 'utf8')).toBe(content);
    expect(await readdir(folder)).toEqual(['beach.mp4']);
  });

  it.each([
    ['a file', 'small.mp4', 'small.mp4'],
    ['a folder that is there', '.', 'beach.mp4'],
    ['a folder that is not there yet', 'made/here/', 'made/here/beach.mp4'],
  ])('goes to %s where that is asked for', async (_, asked, path) => {
    const { out } = await download(single(), asked, '--json');
    const files = [{ name: 'output', path: join(folder, path), sizeBytes: 200_000 }];
    expect(JSON.parse(out)).toEqual({ jobId, files });
    expect(await readFile(join(folder, path), 'utf8')).toBe(content);
  });

  it('of several files goes into a folder called like the job', async () => {
    const outputs = { one: `${storage.origin}/one`, two: `${storage.origin}/two` };
    const { output: _, output_files: files = {}, ...rest } = completedJobExample;
    const record = files.output as NonNullable<(typeof files)['output']>;
    const output_files = { one: { ...record, filename: '1.jpg' }, two: { ...record, filename: '2.jpg' } };
    expect((await download({ ...rest, outputs, output_files })).exitCode).toBe(0);
    expect((await readdir(join(folder, jobId))).sort()).toEqual(['1.jpg', '2.jpg']);
  });

  it('of a stream is of its files as they are stored, under the names that they call each other by', async () => {
    const { output: _, output_files: files = {}, ...rest } = completedJobExample;
    const record = files.output as NonNullable<(typeof files)['output']>;
    const stored = (name: string) => `${storage.origin}/jobs/${jobId}/1/${name}?X-Amz-Signature=5d1f`;
    const output_files = {
      hls: { ...record, filename: 'beach-hls.m3u8', file_format: 'm3u8', storage_url: stored('hls.m3u8') },
      '720p': { ...record, filename: 'beach-stream_0.mp4', storage_url: stored('stream_0.mp4') },
    };
    const outputs = { hls: `${storage.origin}/gone`, '720p': stored('stream_0.mp4') };
    expect((await download({ ...rest, outputs, output_files })).exitCode).toBe(0);
    expect((await readdir(join(folder, jobId))).sort()).toEqual(['hls.m3u8', 'stream_0.mp4']);
  });

  it('never replaces a file', async () => {
    await writeFile(join(folder, 'beach.mp4'), 'mine');
    const { exitCode, err } = await download(single());
    expect(err).toBe(`${join(folder, 'beach.mp4')} is there already.\nAdd --force to replace it.\n`);
    expect(exitCode).toBe(6);
    expect(await readFile(join(folder, 'beach.mp4'), 'utf8')).toBe('mine');
  });

  it('replaces it where it is told to', async () => {
    await writeFile(join(folder, 'beach.mp4'), 'mine');
    expect((await download(single(), '--force')).exitCode).toBe(0);
    expect(await readFile(join(folder, 'beach.mp4'), 'utf8')).toBe(content);
  });

  it.each([
    ['/torn', 5, 'The download broke off: other side closed'],
    ['/gone', 3, 'The storage refused the download (403).'],
  ])(
    'from %s fails with %i, leaves nothing behind and keeps the URL to itself',
    async (path, expected, message) => {
      const { exitCode, err } = await download(single(path));
      expect(err).toContain(message);
      expect(err).not.toContain('5d1f');
      expect([exitCode, await readdir(folder)]).toEqual([expected, []]);
    },
  );

  it('that breaks off goes on from there', async () => {
    const { exitCode } = await download(single('/halves'));
    expect(exitCode).toBe(0);
    expect(await readFile(join(folder, 'beach.mp4'), 'utf8')).toBe(content);
    const asked = storage.requests.filter(({ path }) => path.startsWith('/halves'));
    expect(asked.map(({ headers }) => [headers.range, headers['if-range']])).toEqual([
      [undefined, undefined],
      ['bytes=100000-', '"a"'],
    ]);
  });

  it('that breaks off again and again goes on as long as each try brings more', async () => {
    const { exitCode, err } = await download(single('/drops'));
    expect(exitCode, err).toBe(0);
    expect(await readFile(join(folder, 'beach.mp4'), 'utf8')).toBe(content);
    expect(storage.requests.filter(({ path }) => path.startsWith('/drops'))).toHaveLength(8);
  });

  it('waits longer and longer for a storage that is away', async () => {
    const api = await aStubApi({ [`GET /api/v1/jobs/${jobId}`]: { status: 200, body: single('/away') } });
    const pauses: number[] = [];
    const { exitCode } = await runCli(['download', jobId], {
      baseUrl: api.origin,
      workingDirectory: folder,
      pause: async (milliseconds) => void pauses.push(milliseconds),
    }).finally(api.close);
    expect([exitCode, pauses]).toEqual([5, [1_000, 2_000, 4_000]]);
  });

  it.each([
    ['has ended', '/gone'],
    ['was signed by what has ended', '/unsigned'],
  ])('whose URL %s goes on with another one', async (_, path) => {
    const route = `GET /api/v1/jobs/${jobId}`;
    const answers = [path, '/film'].map((at) => ({ status: 200, body: single(at) }));
    const api = await aStubApi({ [route]: answers });
    const { exitCode } = await runCli(['download', jobId], {
      baseUrl: api.origin,
      workingDirectory: folder,
    }).finally(api.close);
    expect([exitCode, api.requests.length]).toEqual([0, 2]);
    expect(await readFile(join(folder, 'beach.mp4'), 'utf8')).toBe(content);
  });

  it('of a job whose files were removed says until when they were kept', async () => {
    const { output: _, output_files: __, ...rest } = completedJobExample;
    const { exitCode, err } = await download(rest);
    expect(exitCode).toBe(4);
    expect(err).toContain(
      `The files of job ${jobId} were kept until ${completedJobExample.filesExpireAt}.\n`,
    );
  });

  it('of a job without files says so', async () => {
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
])('the name %j is saved as %j', (filename, saved) => {
  const { output_files: files = {} } = completedJobExample;
  const record = files.output as NonNullable<(typeof files)['output']>;
  expect(
    safeFilename({ ...completedJobExample, output_files: { output: { ...record, filename } } }, 'output'),
  ).toBe(saved);
});
