import { S3ServiceException } from '@aws-sdk/client-s3';
import { describe, expect, it } from 'vitest';
import { workFiles } from '../../../adapters/s3/work-files.ts';
import { aMediaBucket } from '../../builders/storage/a-media-bucket.ts';
import { itUnless } from '../../builders/storage/on-foreign.ts';

const key = 'work/job-1/abc/plan.json';

describe('a work file', () => {
  it('contains what was written last', async () => {
    const { client, bucket } = await aMediaBucket();
    const files = workFiles(client, bucket);
    for (const text of ['{}', '{"title":"Grüße, 世界"}']) await files.writeText(key, text);
    expect(await files.readText(key)).toBe('{"title":"Grüße, 世界"}');
  });

  it('is undefined if it does not exist', async () => {
    const { client, bucket, put } = await aMediaBucket();
    await put(`${key}.more`, '{}');
    const files = workFiles(client, bucket);
    expect([await files.readText(key), await files.find(key)]).toEqual([undefined, undefined]);
  });
});

describe('a new work file', () => {
  itUnless('S3 of moto')('is written once: another text does not replace it', async () => {
    const { client, bucket } = await aMediaBucket();
    const files = workFiles(client, bucket);
    const created = await Promise.all(['1', '2', '3'].map((text) => files.createText(key, text)));
    expect(created.toSorted()).toEqual([false, false, true]);
    expect(await files.readText(key)).toBe(String(created.indexOf(true) + 1));
  });

  itUnless('S3 of moto').each([
    ['no other result', undefined, true],
    ['another result', 'theirs', false],
  ])('is tried again when it overlaps another write that stores %s', async (_, stored, isCreated) => {
    const { client, bucket, put } = await aMediaBucket();
    const files = workFiles(client, bucket);
    const name = 'ConditionalRequestConflict';
    let conflicts = 0;
    client.middlewareStack.add(
      (next) => async (request) => {
        if (!('IfNoneMatch' in request.input) || conflicts === 2) return next(request);
        conflicts += 1;
        throw new S3ServiceException({ name, $fault: 'client', $metadata: { httpStatusCode: 409 } });
      },
      { step: 'initialize' },
    );
    const creating = files.createText(key, 'ours');
    if (stored !== undefined) await put(key, stored);
    expect([await creating, conflicts]).toEqual([isCreated, 2]);
    expect(await files.readText(key)).toBe(stored ?? 'ours');
  });

  itUnless('S3 of moto')('is its own if the answer to its first request was lost', async () => {
    const { client, bucket } = await aMediaBucket();
    const files = workFiles(client, bucket);
    let requests = 0;
    client.middlewareStack.add(
      (next) => async (request) => {
        const answer = await next(request);
        requests += 1;
        if (requests === 1) throw Object.assign(new Error('The answer is lost'), { name: 'TimeoutError' });
        return answer;
      },
      { step: 'deserialize', priority: 'low' },
    );
    expect(await files.createText(key, '{}')).toBe(true);
    expect(requests).toBeGreaterThan(1);
  });
});

it('the size and version of any object can be read', async () => {
  const { client, bucket, put } = await aMediaBucket();
  const etag = await put('uploads/owner-1/clip', Buffer.alloc(1_000));
  expect(await workFiles(client, bucket).find('uploads/owner-1/clip')).toEqual({ etag, sizeBytes: 1_000 });
});

itUnless('S3 of moto')('a failed request does not count as a missing file', async () => {
  const { client } = await aMediaBucket();
  const files = workFiles(client, 'another');
  await expect(files.readText(key)).rejects.toThrow('bucket does not exist');
  await expect(files.writeText(key, '{}')).rejects.toThrow('bucket does not exist');
});
