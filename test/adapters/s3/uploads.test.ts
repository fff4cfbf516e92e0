import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CompleteMultipartUploadCommand, S3Client, S3ServiceException } from '@aws-sdk/client-s3';
import { aTemporaryFolder } from '@media-jobs/testing/temporary-folder';
import { mockClient } from 'aws-sdk-client-mock';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { downloadUpload } from '../../../adapters/s3/download-upload.ts';
import { presigner } from '../../../adapters/s3/presign.ts';
import { uploads } from '../../../adapters/s3/uploads.ts';
import type { Uploads } from '../../../core/uploads/upload.ts';
import { anS3 } from '../../builders/storage/an-s3.ts';
import { itUnless } from '../../builders/storage/on-foreign.ts';

let bucket: string;
let store: Uploads;
let client: S3Client;
let directory: string;

beforeAll(async () => {
  directory = await aTemporaryFolder();
  const options = await anS3();
  const { endpoint, credentials } = options;
  bucket = options.bucket;
  client = new S3Client(options);
  const presign = presigner({
    region: options.region,
    credentials: async () => credentials,
    bucketUrl: `${endpoint}/${bucket}`,
    clock: { now: () => new Date() },
  });
  store = uploads({ client, bucket, presign, lifetimeSeconds: 60 });
});

afterEach(() => mockClient(client).restore());

const put = (url: string, body: string) => fetch(url, { method: 'PUT', body });

/** The minimum size of a part except the last. */
const wholePart = 'x'.repeat(5 * 1024 * 1024);

/** Parts of these sizes. */
const sized = (...sizes: number[]) => sizes.map((sizeBytes, index) => ({ partNumber: index + 1, sizeBytes }));

/** The parts as the caller lists them. */
const partsOf = (answers: Response[]) =>
  answers.map(({ headers }, index) => ({ partNumber: index + 1, etag: headers.get('etag') ?? '' }));

/** The bytes that the worker downloads. */
async function fetched(key: string, maxBytes = 100) {
  const path = join(directory, 'input');
  const request = { key, path, maxBytes, signal: new AbortController().signal, onProgress: () => undefined };
  const { bytes } = await downloadUpload({ client, bucket }, request);
  return { bytes, text: await readFile(path, 'utf8') };
}

describe('an upload by a single PUT', () => {
  it('arrives', async () => {
    const { url } = await store.signPut({ key: 'uploads/o/1', sizeBytes: 5 });
    expect((await put(url, 'hello')).status).toBe(200);
    expect(await fetched('uploads/o/1')).toEqual({ bytes: 5, text: 'hello' });
  });

  itUnless('S3 of moto')('is rejected if its size differs from the announced one', async () => {
    const { url } = await store.signPut({ key: 'uploads/o/2', sizeBytes: 5 });
    expect((await put(url, 'hello, and more')).status).toBe(403);
  });
});

describe('a multipart upload', () => {
  it('arrives whole', async () => {
    const key = 'uploads/o/3';
    const { s3UploadId, partUrls } = await store.createMultipartUpload({
      key,
      contentType: 'video/mp4',
      parts: sized(6),
    });
    const answers = await Promise.all(partUrls.map((url, index) => put(url, `part ${index + 1}`)));
    await store.completeMultipartUpload({ key, s3UploadId, parts: partsOf(answers) });
    expect(await fetched(key)).toEqual({ bytes: 6, text: 'part 1' });
  });

  itUnless('S3 of moto').each([
    ['an unknown upload', '0123456789abcdef', 'NOT_FOUND'],
    ['an upload that is of another key', undefined, 'NOT_FOUND'],
  ])('cannot be completed for %s', async (_, unknownId, code) => {
    const { s3UploadId } = await store.createMultipartUpload({
      key: 'uploads/o/4',
      contentType: 'video/mp4',
      parts: sized(6),
    });
    const parts = [{ partNumber: 1, etag: '"abc"' }];
    const joined = store.completeMultipartUpload({
      key: 'uploads/p/4',
      s3UploadId: unknownId ?? s3UploadId,
      parts,
    });
    await expect(joined).rejects.toMatchObject({ code });
  });

  itUnless('S3 of moto')('does not accept a part of another size than was announced', async () => {
    const { partUrls } = await store.createMultipartUpload({ key: 'uploads/o/10', parts: sized(6) });
    expect((await put(partUrls[0] ?? '', 'part 1 and much more')).status).toBe(403);
    expect((await put(partUrls[0] ?? '', 'part')).status).toBe(403);
    expect((await put(partUrls[0] ?? '', 'part 1')).status).toBe(200);
  });

  it('continues with new URLs after the first have expired', async () => {
    const key = 'uploads/o/7';
    const parts = sized(wholePart.length, 12);
    const { s3UploadId, partUrls } = await store.createMultipartUpload({ key, parts });
    const first = await put(partUrls[0] ?? '', wholePart);
    const { partUrls: renewed, expiresAt } = await store.signParts({
      key,
      s3UploadId,
      parts: parts.slice(1),
    });
    expect(expiresAt.getTime()).toBeGreaterThan(Date.now());
    const second = await put(renewed[0] ?? '', 'and finished');
    await store.completeMultipartUpload({ key, s3UploadId, parts: partsOf([first, second]) });
    expect((await fetched(key, 10_000_000)).text).toBe(`${wholePart}and finished`);
  });

  it('cannot be completed with parts that are too small, and states the minimum size', async () => {
    const key = 'uploads/o/9';
    const parts = sized(wholePart.length - 1, wholePart.length - 1);
    const { s3UploadId, partUrls } = await store.createMultipartUpload({ key, parts });
    const answers = await Promise.all(partUrls.map((url) => put(url, wholePart.slice(1))));
    const joined = store.completeMultipartUpload({ key, s3UploadId, parts: partsOf(answers) });
    await expect(joined).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      details: [{ path: 'parts', message: expect.stringContaining('5 MiB') }],
    });
  });

  itUnless('S3 of moto').each([
    ['an unknown upload', 'uploads/o/8', '0123456789abcdef'],
    ['an upload that is of another key', 'uploads/p/8', undefined],
  ])('gets no new URLs for %s', async (_, key, unknownId) => {
    const { s3UploadId } = await store.createMultipartUpload({ key: 'uploads/o/8', parts: sized(6) });
    const signed = store.signParts({ key, s3UploadId: unknownId ?? s3UploadId, parts: sized(6) });
    await expect(signed).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  itUnless('seaweedfs')('cannot be completed with missing parts', async () => {
    const key = 'uploads/o/5';
    const { s3UploadId } = await store.createMultipartUpload({
      key,
      contentType: 'video/mp4',
      parts: sized(6),
    });
    const parts = [{ partNumber: 1, etag: '"abc"' }];
    await expect(store.completeMultipartUpload({ key, s3UploadId, parts })).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      details: [{ path: 'parts' }],
    });
  });

  it('that S3 fails to complete is no error of the caller', async () => {
    const failure = new S3ServiceException({ name: 'InternalError', $fault: 'server', $metadata: {} });
    mockClient(client).on(CompleteMultipartUploadCommand).rejects(failure);
    const joined = store.completeMultipartUpload({ key: 'uploads/o/6', s3UploadId: 'any', parts: [] });
    await expect(joined).rejects.toBe(failure);
  });
});

describe('an upload as an input', () => {
  it('is unreachable if it was never completed', async () => {
    await expect(fetched('uploads/o/none')).rejects.toMatchObject({
      code: 'INPUT_UNREACHABLE',
      retryable: false,
    });
  });

  it('is rejected above the limit', async () => {
    const { url } = await store.signPut({ key: 'uploads/o/5', sizeBytes: 11 });
    await put(url, 'far too big');
    await expect(fetched('uploads/o/5', 10)).rejects.toMatchObject({ code: 'INPUT_TOO_LARGE' });
  });
});
