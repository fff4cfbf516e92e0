import { randomBytes } from 'node:crypto';
import { GetObjectCommand, HeadObjectCommand, ListMultipartUploadsCommand } from '@aws-sdk/client-s3';
import { expect, it } from 'vitest';
import { assembleObject } from '../../../adapters/s3/assemble-object.ts';
import type { BucketAccess } from '../../../adapters/s3/read-object.ts';
import { assemblyParts, minPartBytes } from '../../../core/storage/assembly.ts';
import { aMediaBucket, type MediaBucket } from '../../builders/storage/a-media-bucket.ts';
import { itUnless } from '../../builders/storage/on-foreign.ts';

const { signal } = new AbortController();

/** Two objects of random bytes, of which the second is too small to be copied. */
async function someObjects() {
  const bucket = await aMediaBucket();
  const [large, small] = [randomBytes(2 * minPartBytes + 1000), randomBytes(3000)];
  const objects = [
    { key: 'work/job 1/large+', etag: await bucket.put('work/job 1/large+', large), bytes: large },
    { key: 'work/job 1/small', etag: await bucket.put('work/job 1/small', small), bytes: small },
  ];
  const ranges = objects.map(({ key, etag, bytes }) => ({ key, etag, start: 500, end: bytes.length - 7 }));
  return { bucket, objects, ranges };
}

async function read({ client, bucket }: MediaBucket, key: string): Promise<Buffer> {
  const { Body } = await client.send(new GetObjectCommand({ Bucket: bucket, Key: key }));
  return Buffer.from((await Body?.transformToByteArray()) ?? []);
}

it('assembles an object from copied ranges, small ranges and bytes', async () => {
  const { bucket, objects, ranges } = await someObjects();
  const header = randomBytes(2000);
  const parts = assemblyParts([{ bytes: header }, ...ranges, ...ranges]);
  expect(parts.map((part) => Object.keys(part)[0])).toEqual(['uploaded', 'copied', 'uploaded', 'copied', 'uploaded']);
  const stored: number[] = [];
  const { etag } = await assembleObject(bucket, {
    key: 'jobs/1/output.mp4',
    mimeType: 'video/mp4',
    parts,
    signal,
    onProgress: (bytes) => stored.push(bytes),
  });
  const data = objects.map(({ bytes }) => bytes.subarray(500, bytes.length - 7));
  const expected = Buffer.concat([header, ...data, ...data]);
  expect((await read(bucket, 'jobs/1/output.mp4')).equals(expected)).toBe(true);
  expect(stored.at(-1)).toBe(expected.length);
  const head = await bucket.client.send(new HeadObjectCommand({ Bucket: bucket.bucket, Key: 'jobs/1/output.mp4' }));
  expect(head).toMatchObject({ ContentType: 'video/mp4', ETag: etag });
});

itUnless('S3 of moto').each([
  ['copied', 0],
  ['uploaded', 1],
])('leaves nothing if a %s range is of another version', async (_, replaced) => {
  const { bucket, ranges, objects } = await someObjects();
  const parts = assemblyParts(ranges);
  await bucket.put(objects[replaced]?.key ?? '', randomBytes(objects[replaced]?.bytes.length ?? 0));
  const file = { key: 'jobs/1/output.mp4', mimeType: 'video/mp4', parts, signal };
  await expect(assembleObject(bucket, file)).rejects.toMatchObject({ name: 'PreconditionFailed' });
  expect(await unfinishedUploadsOf(bucket)).toEqual([]);
  await expect(read(bucket, 'jobs/1/output.mp4')).rejects.toMatchObject({ name: 'NoSuchKey' });
});

it('leaves nothing if it is aborted', async () => {
  const { bucket, ranges } = await someObjects();
  const aborted = new AbortController();
  const file = { key: 'jobs/1/output.mp4', mimeType: 'video/mp4', parts: assemblyParts(ranges) };
  const reason = new Error('the lease is lost');
  const assembling = assembleObject(bucket, {
    ...file,
    signal: aborted.signal,
    onProgress: () => aborted.abort(reason),
  });
  await expect(assembling).rejects.toBe(reason);
  expect(await unfinishedUploadsOf(bucket)).toEqual([]);
});

/** Keys of the multipart uploads of a bucket that were begun and not ended. */
async function unfinishedUploadsOf({ client, bucket }: BucketAccess): Promise<string[]> {
  const { Uploads = [] } = await client.send(new ListMultipartUploadsCommand({ Bucket: bucket }));
  return Uploads.flatMap(({ Key }) => Key ?? []);
}
