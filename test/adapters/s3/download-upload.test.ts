import { readdir, readFile, symlink } from 'node:fs/promises';
import type { IncomingHttpHeaders } from 'node:http';
import { join } from 'node:path';
import { GetObjectCommand, NoSuchKey, S3Client, S3ServiceException } from '@aws-sdk/client-s3';
import { aTemporaryFolder } from '@media-jobs/testing/temporary-folder';
import { mockClient } from 'aws-sdk-client-mock';
import { beforeEach, describe, expect, it } from 'vitest';
import { downloadUpload } from '../../../adapters/s3/download-upload.ts';
import { anHttpServer } from '../http/builders/servers.ts';

const clip = Buffer.from(Array.from({ length: 300_000 }, (_, index) => index % 251));

let directory: string;
let requests: IncomingHttpHeaders[];

beforeEach(async () => {
  directory = await aTemporaryFolder();
  requests = [];
});

/** Downloads from a bucket that breaks off the first responses half-way. */
async function download({
  broken,
  etag = '"clip-1"',
  leaveFromBytes,
}: {
  broken: number;
  etag?: string;
  leaveFromBytes?: number;
}) {
  const port = await anHttpServer(({ headers }, response) => {
    requests.push(headers);
    const [, start] = /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? '') ?? [];
    const rest = clip.subarray(Number(start ?? 0));
    response.writeHead(start === undefined ? 200 : 206, { 'content-length': rest.length, etag });
    if (requests.length > broken) response.end(rest);
    else response.write(rest.subarray(0, rest.length / 2), () => response.destroy());
  });
  const client = new S3Client({
    region: 'eu-central-1',
    endpoint: `http://127.0.0.1:${port}`,
    forcePathStyle: true,
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  });
  const path = join(directory, 'clip');
  const progress: number[] = [];
  const { bytes, leftEtag } = await downloadUpload(
    { client, bucket: 'media' },
    {
      key: 'uploads/owner/clip',
      path,
      maxBytes: clip.length,
      leaveFromBytes,
      signal: new AbortController().signal,
      onProgress: (update) => progress.push(update.bytes),
    },
  ).finally(() => client.destroy());
  return { bytes, leftEtag, received: await readFile(path).catch(() => undefined), progress };
}

/** Downloads from a bucket that responds with an error. */
async function downloadFailingWith(error: S3ServiceException) {
  const client = new S3Client({ region: 'eu-central-1' });
  mockClient(client).on(GetObjectCommand).rejects(error);
  const path = join(directory, 'clip');
  const signal = new AbortController().signal;
  const request = { key: 'uploads/owner/clip', path, maxBytes: 1, signal, onProgress: () => undefined };
  return downloadUpload({ client, bucket: 'media' }, request);
}

describe('an upload', () => {
  const fault = { $fault: 'client', $metadata: {} } as const;

  it('that does not exist is unreachable', async () => {
    const error = new NoSuchKey({ message: 'The specified key does not exist.', ...fault });
    await expect(downloadFailingWith(error)).rejects.toMatchObject({ code: 'INPUT_UNREACHABLE' });
  });

  it('that this function has no permission for is an error of the service', async () => {
    const error = new S3ServiceException({ name: 'AccessDenied', ...fault });
    await expect(downloadFailingWith(error)).rejects.toBe(error);
  });
});

describe('the download of an upload', () => {
  it('resumes after a failed connection, in the same version of the file', async () => {
    const { bytes, received, progress } = await download({ broken: 2 });
    expect(bytes).toBe(clip.length);
    expect(received?.equals(clip)).toBe(true);
    expect(progress.at(-1)).toBe(clip.length);
    expect(requests.map(({ range, 'if-match': version }) => [range === undefined, version])).toEqual([
      [true, undefined],
      [false, '"clip-1"'],
      [false, '"clip-1"'],
    ]);
  });

  it('leaves a large object of a strong ETag where it is', async () => {
    const { leftEtag, received } = await download({ broken: 0, leaveFromBytes: clip.length });
    expect([leftEtag, received]).toEqual(['"clip-1"', undefined]);
  });

  it('fetches a large object of a weak ETag, which ranges cannot require', async () => {
    const { leftEtag, received } = await download({ broken: 0, etag: 'W/"clip-1"', leaveFromBytes: 1 });
    expect([leftEtag, received?.equals(clip)]).toEqual([undefined, true]);
  });

  it('fails permanently if the disk is full', async () => {
    await symlink('/dev/full', join(directory, 'clip'));
    const error = { code: 'INPUT_TOO_LARGE', retryable: false };
    await expect(download({ broken: 0 })).rejects.toMatchObject(error);
    expect(await readdir(directory)).toEqual([]);
  });

  it('fails if it keeps breaking off, and leaves no file', async () => {
    await expect(download({ broken: 100 })).rejects.toThrow('aborted');
    expect(requests).toHaveLength(6);
    expect(await readdir(directory)).toEqual([]);
  });
});
