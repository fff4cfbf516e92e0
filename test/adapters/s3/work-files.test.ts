import { describe, expect, it } from 'vitest';
import { workFiles } from '../../../adapters/s3/work-files.ts';
import { aMediaBucket } from '../../builders/storage/a-media-bucket.ts';

const key = 'work/job-1/abc/plan.json';

describe('a small file of the parts of a job', () => {
  it('is read as it was written last', async () => {
    const { client, bucket } = await aMediaBucket();
    const files = workFiles(client, bucket);
    for (const text of ['{}', '{"title":"Grüße, 世界"}']) await files.writeText(key, text);
    expect(await files.readText(key)).toBe('{"title":"Grüße, 世界"}');
  });

  it('is nothing where there is none', async () => {
    const { client, bucket, put } = await aMediaBucket();
    await put(`${key}.more`, '{}');
    const files = workFiles(client, bucket);
    expect([await files.readText(key), await files.find(key)]).toEqual([undefined, undefined]);
  });
});

it('tells the size and the version of any object', async () => {
  const { client, bucket, put } = await aMediaBucket();
  const etag = await put('uploads/owner-1/film', Buffer.alloc(1_000));
  expect(await workFiles(client, bucket).find('uploads/owner-1/film')).toEqual({ etag, sizeBytes: 1_000 });
});

it('calls nothing missing that it could not ask for', async () => {
  const { client } = await aMediaBucket();
  const files = workFiles(client, 'another');
  await expect(files.readText(key)).rejects.toThrow('bucket does not exist');
  await expect(files.writeText(key, '{}')).rejects.toThrow('bucket does not exist');
});
