import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ProcessContext } from '../../../cli/context/process-context.ts';
import { queuedJobExample } from '../../../core/api/job-examples.ts';
import { runCli } from '../../builders/cli/run-cli.ts';
import { aWebServer, type ReceivedRequest, type WebServer } from '../../builders/http/web-server.ts';

const content = Array.from({ length: 50_000 }, (_, line) => `line ${line} of a film\n`).join('');
const inputUrl = 'upload://019a2c5e-7d10-7b3a-9f4e-2f1f6a0c9d11/film.mp4';
const expiresAt = '2026-11-21T10:23:31.050Z';

let folder: string;
let film: string;
let service: WebServer;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'media-jobs-cli-'));
  film = join(folder, 'film.mp4');
  writeFileSync(film, content);
});
afterEach(async () => {
  await service.close();
  rmSync(folder, { recursive: true });
});

type Storage = {
  /** The answer to POST /uploads; `at` is where the storage is. */
  place: (at: string) => object;
  /** The status of a PUT, after so many before it of the same part. */
  put?: (request: ReceivedRequest, before: number) => number;
};

type Given = Partial<ProcessContext> & { words?: string[] };

/** Submits the film to an API that is its own storage; what it received is in `service.requests`. */
async function submitTo(
  { place, put = () => 200 }: Storage,
  { words = ['film.mp4', '--recipe', 'mute'], ...given }: Given = {},
) {
  service = await aWebServer((request, response, before) => {
    const { method, path } = request;
    if (method === 'PUT') {
      response.writeHead(put(request, before.length), { etag: `"${path.split('?')[0]}"` }).end();
      return;
    }
    response.writeHead(201, { 'content-type': 'application/json' });
    response.end(JSON.stringify(answerTo(request, place, before.length)));
  });
  return runCli(['submit', ...words], { baseUrl: service.origin, workingDirectory: folder, ...given });
}

function answerTo({ path, body }: ReceivedRequest, place: Storage['place'], before: number): object {
  if (path.endsWith('/uploads')) return place(service.origin);
  if (!path.endsWith('/parts')) return queuedJobExample;
  const { partNumbers } = JSON.parse(body) as { partNumbers: number[] };
  const signature = `renewed-${before + 1}`;
  const partUrls = partNumbers.map((part) => `${service.origin}/part-${part}?X-Amz-Signature=${signature}`);
  return { partUrls, expiresAt };
}

const requests = (path: string) => service.requests.filter((request) => request.path.startsWith(path));
const body = (path: string) => JSON.parse(requests(path).at(-1)?.body ?? '');

const inOne = (at: string) => ({ inputUrl, uploadUrl: `${at}/put?X-Amz-Signature=5d1f`, expiresAt });
const partSizeBytes = Math.ceil(content.length / 3);
const inParts = (at: string) => ({
  inputUrl,
  uploadId: 'upload-1',
  partUrls: [1, 2, 3].map((part) => `${at}/part-${part}?X-Amz-Signature=5d1f`),
  partSizeBytes,
  expiresAt,
});

describe('a file', () => {
  it('goes up whole, is named as the input of the job, and shown on its way', async () => {
    const { exitCode, err } = await submitTo({ place: inOne });
    expect(exitCode, err).toBe(0);
    expect(body('/api/v1/uploads')).toEqual({
      sizeBytes: content.length,
      filename: 'film.mp4',
      contentType: 'video/mp4',
    });
    const [put] = requests('/put');
    expect(put?.headers['content-length']).toBe(String(content.length));
    expect(put?.body === content).toBe(true);
    expect(body('/api/v1/jobs').input).toEqual({ url: inputUrl });
    expect(err).toMatch(/^ +\d+ % {2}uploading {2}film\.mp4\n {2}100 % {2}uploaded {2}film\.mp4\n/);
  });

  it('goes up again where the storage failed', async () => {
    const { exitCode } = await submitTo({ place: inOne, put: (_, before) => (before < 2 ? 500 : 200) });
    expect([exitCode, requests('/put').map((put) => put.body === content)]).toEqual([0, [true, true, true]]);
  });

  it('goes up again to a URL of its own, since the one before may have ended meanwhile', async () => {
    const place = (at: string) => {
      const begun = requests('/api/v1/uploads').length;
      return { ...inOne(at), uploadUrl: `${at}/put-${begun}`, inputUrl: `upload://${begun}` };
    };
    const { exitCode } = await submitTo({ place, put: ({ path }) => (path === '/put-1' ? 503 : 200) });
    expect([exitCode, requests('/put').map(({ path }) => path)]).toEqual([0, ['/put-1', '/put-2']]);
    expect(body('/api/v1/jobs').input).toEqual({ url: 'upload://2' });
  });

  it('waits longer and longer for a storage that is away', async () => {
    const pauses: number[] = [];
    const { exitCode } = await submitTo(
      { place: inOne, put: () => 503 },
      { pause: async (milliseconds) => void pauses.push(milliseconds) },
    );
    expect([exitCode, requests('/put').length, pauses]).toEqual([5, 5, [1_000, 2_000, 4_000, 8_000]]);
  });

  it('that the storage refuses is no job, and keeps the URL to itself', async () => {
    const { exitCode, err } = await submitTo({ place: inOne, put: () => 403 });
    expect(err).toContain('The storage refused film.mp4 (403).\nNo job was submitted.\n');
    expect(err).not.toContain('5d1f');
    expect([exitCode, requests('/put').length, requests('/api/v1/jobs')]).toEqual([3, 1, []]);
  });

  it('that changes meanwhile is told so', async () => {
    const place = (at: string) => {
      truncateSync(film, 10);
      return inOne(at);
    };
    const { exitCode, err } = await submitTo({ place });
    expect(err).toContain('film.mp4 changed while it was uploaded.');
    expect([exitCode, requests('/api/v1/jobs')]).toEqual([6, []]);
  });
});

it('that a parameter names goes up as well, and each file once', async () => {
  writeFileSync(join(folder, 'logo.png'), 'a picture');
  const place = (at: string) => ({ ...inOne(at), inputUrl: `upload://${service.requests.length}` });
  const { exitCode, err } = await submitTo(
    { place },
    { words: ['film.mp4', '--recipe', 'watermark', '--image', 'logo.png'] },
  );
  expect(exitCode, err).toBe(0);
  const { input, recipe } = body('/api/v1/jobs');
  expect(requests('/put').map((put) => put.body === content || put.body)).toEqual([true, 'a picture']);
  expect([input.url, recipe]).toEqual(['upload://1', { name: 'watermark', image: 'upload://3' }]);
});

describe('a file in parts', () => {
  it('goes up part by part, a part that failed again, and is joined in order', async () => {
    const isSecondPart = ({ path }: ReceivedRequest) => path.startsWith('/part-2');
    const { exitCode, err } = await submitTo({
      place: inParts,
      put: (request) => (isSecondPart(request) && !request.path.includes('renewed') ? 503 : 200),
    });
    expect(exitCode, err).toBe(0);
    const received = ['/part-1', '/part-2', '/part-3'].map((path) => requests(path).at(-1)?.body).join('');
    expect(received === content).toBe(true);
    expect(requests('/part-2')).toHaveLength(2);
    const parts = [1, 2, 3].map((partNumber) => ({ partNumber, etag: `"/part-${partNumber}"` }));
    expect(body('/api/v1/uploads/upload-1/complete')).toEqual({ parts });
    expect(body('/api/v1/jobs').input).toEqual({ url: inputUrl });
  });

  it('waits longer and longer for a storage that is away', async () => {
    const pauses: number[] = [];
    const put = ({ path }: ReceivedRequest) => (path.startsWith('/part-2') ? 503 : 200);
    const pause = async (milliseconds: number) => void pauses.push(milliseconds);
    const { exitCode } = await submitTo({ place: inParts, put }, { pause });
    expect([exitCode, requests('/part-2').length, pauses]).toEqual([5, 5, [1_000, 2_000, 4_000, 8_000]]);
  });

  it.each([
    ['its URLs live', 403],
    ['what signed them is valid', 400],
  ])('that takes longer than %s goes on with new ones, what has gone up staying', async (_, refusal) => {
    const hasEnded = ({ path }: ReceivedRequest) => !path.startsWith('/part-1') && !path.includes('renewed');
    const put = (request: ReceivedRequest) => (hasEnded(request) ? refusal : 200);
    const { exitCode, err } = await submitTo({ place: inParts, put });
    expect(exitCode, err).toBe(0);
    const renewed = requests('/api/v1/uploads/upload-1/parts');
    const asked = renewed.flatMap((request) => JSON.parse(request.body).partNumbers).toSorted();
    expect(asked).toEqual([2, 3]);
    expect(requests('/part-1')).toHaveLength(1);
    expect(body('/api/v1/uploads/upload-1/complete').parts).toHaveLength(3);
  });

  it('of which one is refused for good, under a new URL too, is not joined', async () => {
    const put = ({ path }: ReceivedRequest) => (path.startsWith('/part-3') ? 403 : 200);
    const { exitCode } = await submitTo({ place: inParts, put });
    expect([exitCode, requests('/part-3').length]).toEqual([3, 2]);
    expect([requests('/api/v1/uploads/upload-1/complete'), requests('/api/v1/jobs')]).toEqual([[], []]);
  });
});
