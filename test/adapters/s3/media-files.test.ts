import { truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { HeadObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { clientOptions, emulatorTraffic, s3Credentials, startS3 } from '@media-jobs/local-stage/emulators';
import { aTemporaryFolder } from '@media-jobs/testing/temporary-folder';
import type { HttpRequest } from '@smithy/protocol-http';
import { expect, it, onTestFinished } from 'vitest';
import { mediaFiles } from '../../../adapters/s3/media-files.ts';
import { aBucket } from '../../builders/storage/a-bucket.ts';

const mebibyte = 1024 * 1024;

/** A client of an S3 emulator with an empty bucket `media`. */
async function aClient(directory: string): Promise<S3Client> {
  const { endpoint, stop } = await startS3(join(directory, 's3'), emulatorTraffic());
  onTestFinished(stop);
  await aBucket(endpoint, 'media');
  return new S3Client({ ...clientOptions(endpoint), credentials: s3Credentials, forcePathStyle: true });
}

it('an upload reports its progress', async () => {
  const directory = await aTemporaryFolder();
  const client = await aClient(directory);
  const path = join(directory, 'clip.mp4');
  await writeFile(path, '');
  await truncate(path, 40 * mebibyte);
  const stored: number[] = [];
  const { signal } = new AbortController();
  const file = { path, key: 'jobs/1/1/clip.mp4', mimeType: 'video/mp4', signal };
  await mediaFiles(client, 'media').upload({ ...file, onProgress: (bytes) => stored.push(bytes / mebibyte) });
  expect(stored).toHaveLength(3);
  expect(stored).toEqual(stored.toSorted((a, b) => a - b));
  expect(stored.at(-1)).toBe(40);
  const head = await client.send(new HeadObjectCommand({ Bucket: 'media', Key: file.key }));
  expect(head.ContentLength).toBe(40 * mebibyte);
});

it.each([
  ['whose part S3 rejects by the error of S3', 200 * mebibyte],
  ['of 200 GiB, the most that a Fargate task can write, which it sends in parts that S3 allows', 200 * 1024 * mebibyte],
])('an upload reports a file %s', async (_, sizeBytes) => {
  const directory = await aTemporaryFolder();
  const client = await aClient(directory);
  const lengths: number[] = [];
  client.middlewareStack.add(
    (next) => (args) => {
      const { headers, query } = args.request as HttpRequest;
      if (!('partNumber' in query)) return next(args);
      lengths.push(Number(headers['content-length'] ?? headers['x-amz-decoded-content-length']));
      throw new Error('The bucket is full');
    },
    { step: 'finalizeRequest', priority: 'low' },
  );
  const path = join(directory, 'sparse.mov');
  await writeFile(path, '');
  await truncate(path, sizeBytes);
  const { signal } = new AbortController();
  const uploaded = mediaFiles(client, 'media').upload({ path, key: 'a', mimeType: 'video/quicktime', signal });
  await expect(uploaded).rejects.toThrow('The bucket is full');
  expect(sizeBytes / (lengths[0] ?? 0)).toBeLessThanOrEqual(10_000);
});
