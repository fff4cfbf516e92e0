import {
  CompleteMultipartUploadCommand,
  type CompleteMultipartUploadCommandInput,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  PutObjectCommand,
  S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { afterUse } from '@media-jobs/testing/after-use';
import { aTemporaryFolder } from '@media-jobs/testing/temporary-folder';
import { describe, expect, it } from 'vitest';
import { createBuckets, startS3 } from '../../src/emulators/s3.ts';
import { emulatorTraffic } from '../../src/emulators/traffic.ts';
import type { StagePlan } from '../../src/template/stage-plan.ts';

const media: StagePlan['buckets'][number] = {
  name: 'media',
  CorsConfiguration: {
    CorsRules: [
      {
        AllowedMethods: ['PUT', 'GET'],
        AllowedOrigins: ['https://app.example'],
        AllowedHeaders: ['*'],
        ExposedHeaders: ['ETag'],
        MaxAge: 3600,
      },
      {
        AllowedMethods: ['GET', 'HEAD'],
        AllowedOrigins: ['*'],
        AllowedHeaders: ['*'],
        ExposedHeaders: ['Content-Range'],
      },
    ],
  },
};

/** Without `pages` it admits those that a local stage admits. */
async function aStore(directory: string, { pages }: { pages?: 'any' } = { pages: 'any' }) {
  const emulator = await startS3(directory, emulatorTraffic(), undefined, { pages });
  const stop = afterUse(emulator.stop);
  await createBuckets(emulator.endpoint, [media]);
  const client = new S3Client({
    endpoint: emulator.endpoint,
    region: 'us-east-1',
    credentials: { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER', sessionToken: 'local' },
    requestChecksumCalculation: 'WHEN_REQUIRED',
  });
  return { client, emulator, stop };
}

it('the S3 emulator serves a byte range through a signed path-style URL', async () => {
  const { client, emulator } = await aStore(await aTemporaryFolder());
  await client.send(new PutObjectCommand({ Bucket: 'media', Key: 'jobs/1/output.mp4', Body: '0123456789' }));
  const command = new GetObjectCommand({ Bucket: 'media', Key: 'jobs/1/output.mp4' });
  const signedUrl = await getSignedUrl(client, command, { expiresIn: 60 });
  expect(signedUrl).toMatch(`${emulator.endpoint}/media/jobs/1/output.mp4?`);
  const response = await fetch(signedUrl, { headers: { range: 'bytes=2-4' } });
  expect([response.status, await response.text()]).toEqual([206, '234']);
});

it('the S3 emulator rejects an altered signed URL, an unsigned request and an unsigned header of S3', async () => {
  const { client, emulator } = await aStore(await aTemporaryFolder());
  await client.send(new PutObjectCommand({ Bucket: 'media', Key: 'a b/ü+(1).mp4', Body: 'own' }));
  const command = new GetObjectCommand({
    Bucket: 'media',
    Key: 'a b/ü+(1).mp4',
    ResponseContentDisposition: 'attachment; filename="it\'s.mp4"',
  });
  const signedUrl = await getSignedUrl(client, command, { expiresIn: 60 });
  const getText = async (url: string, headers = {}) => {
    const response = await fetch(url, { headers });
    return `${response.status} ${await response.text()}`;
  };
  expect(await getText(signedUrl)).toBe('200 own');
  expect(await getText(signedUrl, { 'x-amz-request-payer': 'requester' })).toMatch(/^403 .*AccessDenied.*not signed/);
  expect(await getText(signedUrl.replace('/a%20b/', '/other/'))).toMatch(/^403 .*SignatureDoesNotMatch/);
  expect(await getText(signedUrl.replace('X-Amz-Expires=60', 'X-Amz-Expires=600'))).toMatch(
    /^403 .*SignatureDoesNotMatch/,
  );
  expect(await getText(`${emulator.endpoint}/media/a%20b/${encodeURIComponent('ü+(1).mp4')}`)).toMatch(
    /^403 .*AccessDenied/,
  );
});

describe('a URL presigned for GET', () => {
  async function aSignedUrl() {
    const { client } = await aStore(await aTemporaryFolder(), {});
    await client.send(new PutObjectCommand({ Bucket: 'media', Key: 'a.mp4', Body: '0123456789' }));
    const command = new GetObjectCommand({ Bucket: 'media', Key: 'a.mp4' });
    return getSignedUrl(client, command, { expiresIn: 60 });
  }

  it('is refused for HEAD', async () => expect((await fetch(await aSignedUrl(), { method: 'HEAD' })).status).toBe(403));

  it('has a preflight that the rules of the bucket answer, whoever signed it', async () => {
    const url = await aSignedUrl();
    const preflight = (origin: string, method: string) =>
      fetch(url, {
        method: 'OPTIONS',
        headers: {
          origin,
          'access-control-request-method': method,
          'access-control-request-headers': 'range,if-range',
        },
      });
    const allowed = await preflight('null', 'GET');
    expect([allowed.status, allowed.headers.get('access-control-allow-headers')]).toEqual([200, 'range, if-range']);
    expect((await preflight('null', 'PUT')).status).toBe(403);
    expect((await preflight('http://localhost:3000', 'PUT')).status).toBe(403);
  });

  it.each([
    [{ range: 'bytes=-3' }, 206, '789'],
    [{ range: 'bytes=0-0' }, 206, '0'],
    [{ range: 'bytes=5-2' }, 200, '0123456789'],
    [{ range: 'bytes=0-1,4-5' }, 200, '0123456789'],
    [{ range: 'bytes=8-', 'if-range': '"another"' }, 200, '0123456789'],
    [{ 'if-match': '"another"' }, 412, expect.stringContaining('PreconditionFailed')],
  ])('answers %j as S3 does', async (headers, status, body) => {
    const response = await fetch(await aSignedUrl(), { headers });
    expect([response.status, await response.text()]).toEqual([status, body]);
  });

  it('resumes under the ETag of the object', async () => {
    const url = await aSignedUrl();
    const etag = (await fetch(url)).headers.get('etag') ?? '';
    for (const condition of ['if-range', 'if-match']) {
      const response = await fetch(url, { headers: { range: 'bytes=8-', [condition]: etag } });
      expect([response.status, await response.text()]).toEqual([206, '89']);
    }
  });
});

it('the S3 emulator keeps buckets and objects across a restart', async () => {
  const directory = await aTemporaryFolder();
  const before = await aStore(directory);
  await before.client.send(new PutObjectCommand({ Bucket: 'media', Key: 'a', Body: 'kept' }));
  await before.stop();
  const { client } = await aStore(directory);
  const { Body } = await client.send(new GetObjectCommand({ Bucket: 'media', Key: 'a' }));
  expect(await Body?.transformToString()).toBe('kept');
});

it('the S3 emulator deletes an object', async () => {
  const { client } = await aStore(await aTemporaryFolder());
  await client.send(new PutObjectCommand({ Bucket: 'media', Key: 'jobs/1/a', Body: 'x' }));
  await client.send(new DeleteObjectCommand({ Bucket: 'media', Key: 'jobs/1/a' }));
  await expect(client.send(new GetObjectCommand({ Bucket: 'media', Key: 'jobs/1/a' }))).rejects.toThrow(
    expect.objectContaining({ name: 'NoSuchKey' }),
  );
});

describe('a multipart upload', () => {
  async function anUpload() {
    const { client } = await aStore(await aTemporaryFolder());
    const object = { Bucket: 'media', Key: 'uploads/a/1' };
    const { UploadId } = await client.send(new CreateMultipartUploadCommand(object));
    const part = new UploadPartCommand({ ...object, UploadId, PartNumber: 1, Body: 'part one' });
    const { ETag } = await client.send(part);
    const join = (changes: Partial<CompleteMultipartUploadCommandInput> = {}) =>
      client.send(
        new CompleteMultipartUploadCommand({
          ...object,
          UploadId,
          MultipartUpload: { Parts: [{ PartNumber: 1, ETag }] },
          ...changes,
        }),
      );
    return { client, object, UploadId, join };
  }

  it('a multipart upload that was begun with a checksum algorithm is completed with the checksum of each part', async () => {
    const { client } = await aStore(await aTemporaryFolder());
    const object = { Bucket: 'media', Key: 'uploads/a/1' };
    const begin = new CreateMultipartUploadCommand({ ...object, ChecksumAlgorithm: 'CRC32' });
    const { UploadId } = await client.send(begin);
    const contents = { PartNumber: 1, Body: 'part one', ChecksumAlgorithm: 'CRC32' } as const;
    const part = new UploadPartCommand({ ...object, UploadId, ...contents });
    const { ETag, ChecksumCRC32 } = await client.send(part);
    const complete = (checksum: object) => {
      const MultipartUpload = { Parts: [{ PartNumber: 1, ETag, ...checksum }] };
      return client.send(new CompleteMultipartUploadCommand({ ...object, UploadId, MultipartUpload }));
    };
    await expect(complete({})).rejects.toThrow('It was missing for part 1 in the request');
    await complete({ ChecksumCRC32 });
  });

  it('a multipart upload is completed from its parts', async () => {
    const { client, object, UploadId, join } = await anUpload();
    const send = (changes: object) =>
      client.send(new UploadPartCommand({ ...object, UploadId, PartNumber: 2, Body: 'two', ...changes }));
    const refused = { name: 'NoSuchUpload' };
    await expect(send({ Key: 'uploads/b/1' })).rejects.toMatchObject(refused);
    await expect(send({ UploadId: '../../jobs' })).rejects.toMatchObject(refused);
    await join();
    await expect(send({})).rejects.toMatchObject(refused);
    const { Body } = await client.send(new GetObjectCommand(object));
    expect(await Body?.transformToString()).toBe('part one');
  });

  it.each<[string, string, Partial<CompleteMultipartUploadCommandInput>]>([
    ['under another key', 'NoSuchUpload', { Key: 'uploads/b/1' }],
    ['by another id', 'NoSuchUpload', { UploadId: '0123456789abcdef' }],
    ['by an id that is a path', 'NoSuchUpload', { UploadId: '../..' }],
    ['with a part that never came', 'InvalidPart', { MultipartUpload: { Parts: [{ PartNumber: 2, ETag: '"abc"' }] } }],
    ['with a part that is another', 'InvalidPart', { MultipartUpload: { Parts: [{ PartNumber: 1, ETag: '"abc"' }] } }],
  ])('a multipart upload is not completed %s: %s', async (_, name, changes) => {
    const { join } = await anUpload();
    await expect(join(changes)).rejects.toThrow(expect.objectContaining({ name }));
    await expect(join()).resolves.toBeDefined();
  });
});

it('the S3 emulator applies the CORS rules of the template', async () => {
  const { emulator } = await aStore(await aTemporaryFolder());
  const preflight = (origin: string, method: string) =>
    fetch(`${emulator.endpoint}/media/uploads/a`, {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': method },
    });
  expect((await preflight('https://app.example', 'PUT')).status).toBe(200);
  expect((await preflight('https://app.example', 'DELETE')).status).toBe(403);
  expect((await preflight('https://evil.example', 'PUT')).status).toBe(403);
});
