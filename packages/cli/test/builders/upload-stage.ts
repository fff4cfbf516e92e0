import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { queuedJobExample } from '@media-jobs/core/api';
import { aTemporaryFolder } from '@media-jobs/testing/temporary-folder';
import { aWebServer, type ReceivedRequest, type WebServer } from '@media-jobs/testing/web-server';
import { beforeEach } from 'vitest';
import type { ProcessContext } from '../../src/context/command-context.ts';
import { runCli } from './run-cli.ts';

export const content = Array.from({ length: 50_000 }, (_, line) => `line ${line} of a video\n`).join('');
export const inputUrl = 'upload://019a2c5e-7d10-7b3a-9f4e-2f1f6a0c9d11/video.mp4';
const expiresAt = '2026-11-21T10:23:31.050Z';
const partSizeBytes = Math.ceil(content.length / 3);

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

/** A folder with a video, new for each test, and an API that is also its own storage. */
export function uploadStage() {
  let service: WebServer;
  const stage = {
    folder: '',
    video: '',
    /** What the storage lists of a multipart upload. */
    arrivedParts: [] as number[],
    service: () => service,
    /** The received requests to paths that begin so. */
    requests: (path: string) => service.requests.filter((request) => request.path.startsWith(path)),
    /** The body of the last request to a path. */
    body: (path: string) => JSON.parse(stage.requests(path).at(-1)?.body ?? ''),
    /** Submits the video to a new service. */
    async submitTo(
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
        const { origin } = service;
        const { arrivedParts } = stage;
        const answer = failures[status] ?? responseTo(request, { origin, target, arrivedParts, before: before.length });
        response.end(JSON.stringify(answer));
      });
      return runCli(['submit', ...args], { baseUrl: service.origin, workingDirectory: stage.folder, ...overrides });
    },
  };
  beforeEach(async () => {
    stage.folder = await aTemporaryFolder();
    stage.video = join(stage.folder, 'video.mp4');
    stage.arrivedParts = [];
    writeFileSync(stage.video, content);
  });
  return stage;
}

const failure = (code: string, retryable: boolean) => ({
  error: { code, message: 'Not this time.', retryable, requestId: 'r-1' },
});
const failures: Record<number, object> = {
  404: failure('NOT_FOUND', false),
  429: failure('LIMIT_EXCEEDED', true),
  503: failure('UNAVAILABLE', true),
};

type Answering = Pick<Storage, 'target'> & { origin: string; arrivedParts: readonly number[]; before: number };

function responseTo(
  { method, path, body }: ReceivedRequest,
  { origin, target, arrivedParts, before }: Answering,
): object {
  if (path.endsWith('/uploads')) return target(origin);
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
  const partUrls = partNumbers.map((part) => `${origin}/part-${part}?X-Amz-Signature=${signature}`);
  return { partUrls, expiresAt };
}

export const singlePut = (origin: string) => ({ inputUrl, uploadUrl: `${origin}/put?X-Amz-Signature=5d1f`, expiresAt });

export const multipart = (origin: string) => ({
  inputUrl,
  uploadId: 'upload-1',
  partUrls: [1, 2, 3].map((part) => `${origin}/part-${part}?X-Amz-Signature=5d1f`),
  partSizeBytes,
  expiresAt,
});
