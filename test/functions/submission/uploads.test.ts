import { describe, expect, it } from 'vitest';
import { keyGrantSchema } from '../../../core/access/key-record.ts';
import { createJobContract } from '../../../core/api/create-job.ts';
import { completeUploadContract, createUploadContract } from '../../../core/api/uploads.ts';
import {
  choosePartSizeBytes,
  formatUploadId,
  maxSinglePutBytes,
  multipartObjectId,
  type UploadPart,
  uploadInputUrl,
  uploadKey,
} from '../../../core/uploads/upload.ts';
import { completeUpload, createUpload, signUploadParts } from '../../../functions/submission/uploads.ts';
import { memoryReservations } from '../../../lab/simulation/memory/reservations.ts';
import { memoryUploadLedger } from '../../../lab/simulation/memory/upload-ledger.ts';
import { callRoute } from '../../builders/http/call-route.ts';

const objectId = '0199c39e-77aa-7d10-b1c4-5f2e8a90d3b6';
const maxInputBytes = 9_000_000_000;
const expiresAt = new Date('2026-11-21T10:00:00.000Z');

/** The next UTC day begins in an hour. */
const uploadLimits = {
  ledger: memoryUploadLedger(),
  limits: { maxUploadBytesPerDay: 20_000_000_000 },
  clock: { now: () => new Date('2026-11-21T23:00:00.000Z') },
};

/** The routes with a fake bucket that records its calls. */
function routes(newId = () => objectId) {
  const requests: unknown[] = [];
  const uploads = {
    signPut: async (file: object) => {
      requests.push(file);
      return { url: 'https://bucket.example/put', expiresAt };
    },
    createMultipartUpload: async ({ parts, ...file }: { key: string; parts: readonly UploadPart[] }) => {
      requests.push({ ...file, parts: parts.length });
      return {
        s3UploadId: 's3-id',
        partUrls: Array<string>(parts.length).fill('https://bucket.example/part'),
        expiresAt,
      };
    },
    signParts: async (file: { parts: readonly UploadPart[] }) => {
      requests.push(file);
      return { partUrls: file.parts.map(({ partNumber }) => `https://bucket.example/${partNumber}`), expiresAt };
    },
    completeMultipartUpload: async (file: object) => {
      requests.push(file);
    },
    listParts: async () => [],
    abortMultipartUpload: async () => undefined,
  };
  const renew = signUploadParts({ uploads });
  return {
    renew,
    requests,
    create: createUpload({ ...{ uploads, newId, maxInputBytes, reservations: memoryReservations() }, ...uploadLimits }),
    complete: completeUpload({ uploads }),
  };
}

const file = { filename: 'a film.mp4', contentType: 'video/mp4' };

describe('an upload', () => {
  it('has a key of its owner and one PUT of exactly its size', async () => {
    const { requests, create } = routes();
    const answer = await callRoute(create, { ownerId: 'owner-1', body: { ...file, sizeBytes: 42 } });
    expect(requests).toEqual([{ key: uploadKey('owner-1', objectId), sizeBytes: 42 }]);
    expect(answer).toEqual({
      status: 201,
      body: {
        inputUrl: `upload://${objectId}/a%20film.mp4`,
        uploadUrl: 'https://bucket.example/put',
        expiresAt: expiresAt.toISOString(),
      },
    });
  });

  it('is a multipart upload above the limit of one PUT, and is completed under its owner', async () => {
    const { requests, create, complete } = routes();
    const sizeBytes = maxSinglePutBytes + 1;
    const { body } = await callRoute(create, { ownerId: 'owner-1', body: { ...file, sizeBytes } });
    const { uploadId, partUrls, partSizeBytes } = body as {
      uploadId: string;
      partUrls: string[];
      partSizeBytes: number;
    };
    expect(partUrls.length).toBe(Math.ceil(sizeBytes / partSizeBytes));

    const parts = [{ partNumber: 1, etag: '"e"' }];
    await callRoute(complete, { ownerId: 'owner-2', params: { id: uploadId }, body: { parts } });
    // The key has the caller's owner id, so another owner cannot reach this upload.
    const key = uploadKey('owner-2', multipartObjectId(objectId, sizeBytes));
    expect(requests.at(-1)).toEqual({ key, s3UploadId: 's3-id', parts });
  });

  it.each([42, maxSinglePutBytes + 1])('of %d bytes is the same one when it is replayed', async (sizeBytes) => {
    let ids = 0;
    const { create, requests } = routes(() => `id-${++ids}`);
    const post = (key: string) =>
      callRoute(create, { ownerId: 'owner-3', headers: { 'idempotency-key': key }, body: { sizeBytes } });
    const [first, again, other] = [await post('a'), await post('a'), await post('b')];
    const idsOf = ({ body }: typeof first) => [body.inputUrl, 'uploadId' in body && body.uploadId];
    expect(again.headers).toEqual({ 'idempotent-replayed': 'true' });
    expect(idsOf(again)).toEqual(idsOf(first));
    expect(idsOf(other)).not.toEqual(idsOf(first));
    const created = requests.filter((request) => typeof (request as { parts?: unknown }).parts === 'number');
    expect(created).toHaveLength(sizeBytes === 42 ? 0 : 2);
  });

  it('larger than the input limit is rejected with the limit before any byte is sent', async () => {
    const { requests, create } = routes();
    const begun = callRoute(create, { body: { ...file, sizeBytes: maxInputBytes + 1 } });
    const message = 'The file has 9000000001 bytes; the limit of inputs is 9000000000 bytes';
    await expect(begun).rejects.toMatchObject({ code: 'VALIDATION_ERROR', details: [{ path: 'sizeBytes', message }] });
    expect(requests).toEqual([]);
    const { status } = await callRoute(create, { body: { ...file, sizeBytes: maxInputBytes } });
    expect(status).toBe(201);
  });

  it.each(['', 'a b', '"e"\n', '\u0000', 'ü'])('is not completed with the ETag %j', (etag) => {
    const body = { parts: [{ partNumber: 1, etag }] };
    expect(completeUploadContract.body.safeParse(body).success).toBe(false);
  });

  it('gets new part URLs under its owner', async () => {
    const { requests, renew } = routes();
    const params = { id: formatUploadId({ objectId: multipartObjectId(objectId, 6e9), s3UploadId: 's3-id' }) };
    const answer = await callRoute(renew, { ownerId: 'owner-2', params, body: { partNumbers: [7, 9] } });
    const key = uploadKey('owner-2', multipartObjectId(objectId, 6e9));
    const parts = [7, 9].map((partNumber) => ({ partNumber, sizeBytes: choosePartSizeBytes(6e9) }));
    expect(requests).toEqual([{ key, s3UploadId: 's3-id', parts }]);
    const partUrls = ['https://bucket.example/7', 'https://bucket.example/9'];
    expect(answer).toEqual({ status: 200, body: { partUrls, expiresAt: expiresAt.toISOString() } });
  });

  it('gets no URLs of parts that it does not have', async () => {
    const { requests, renew } = routes();
    const params = { id: formatUploadId({ objectId: multipartObjectId(objectId, 6e9), s3UploadId: 's3-id' }) };
    await expect(callRoute(renew, { params, body: { partNumbers: [1, 200] } })).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      details: [{ path: 'partNumbers.1', message: expect.stringContaining('must be at most 198') }],
    });
    expect(requests).toEqual([]);
  });

  it('of an altered size is another object, for which S3 knows no upload', async () => {
    const { requests, renew } = routes();
    const params = { id: formatUploadId({ objectId: multipartObjectId(objectId, 50e9), s3UploadId: 's3-id' }) };
    await callRoute(renew, { ownerId: 'owner-1', params, body: { partNumbers: [1] } });
    expect(requests).toMatchObject([{ key: uploadKey('owner-1', multipartObjectId(objectId, 50e9)) }]);
  });

  it.each([
    ['\u{1f3ac}', 150],
    ['日', 200],
  ])('may have a file name of %s %i times, with which its inputUrl is a valid input', (character, count) => {
    const filename = character.repeat(count);
    const read = (name: string) => createUploadContract.body.safeParse({ sizeBytes: 1, filename: name });
    expect(read(filename).success).toBe(true);
    expect(read(filename + character).success).toBe(false);
    const url = uploadInputUrl(multipartObjectId(objectId, Number.MAX_SAFE_INTEGER), filename);
    const job = { mode: 'recipe', input: { url }, output: { format: 'mp4' }, recipe: { name: 'compress' } };
    expect(createJobContract.body.safeParse(job).success).toBe(true);
  });

  it('is NOT_FOUND under an invalid id', async () => {
    const { complete, renew } = routes();
    const params = { id: objectId };
    const requests = [
      callRoute(complete, { params, body: { parts: [] } }),
      callRoute(renew, { params, body: { partNumbers: [1] } }),
    ];
    for (const answer of requests) await expect(answer).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});

it('an upload above the daily bytes of its key alone is 429 without a time to wait, because no day has room for it', async () => {
  const key = keyGrantSchema.parse({
    ownerId: 'owner-1',
    keyId: 'key-1',
    hash: 'hash',
    limits: { maxUploadBytesPerDay: 10 },
  });
  const principal = { ownerId: 'owner-1', caller: 'key', key } as const;
  const { create } = routes(() => 'upload-of-the-key');
  await expect(callRoute(create, { principal, body: { ...file, sizeBytes: 11 } })).rejects.toMatchObject({
    code: 'LIMIT_EXCEEDED',
    retryAfterSeconds: undefined,
    details: [{ value: 10 }],
  });
});

it('an upload over the daily bytes of its owner is 429 with limit, use and the time to wait, and no URL', async () => {
  let uploads = 0;
  const { requests, create } = routes(() => `upload-${++uploads}`);
  const begin = (ownerId: string) => callRoute(create, { ownerId, body: { ...file, sizeBytes: maxInputBytes } });
  await begin('busy-owner');
  await begin('busy-owner');
  const signedBefore = requests.length;
  await expect(begin('busy-owner')).rejects.toMatchObject({
    code: 'LIMIT_EXCEEDED',
    retryAfterSeconds: 3_600,
    details: [{ limit: 'maxUploadBytesPerDay', value: 20_000_000_000, use: 18_000_000_000 }],
  });
  expect(requests).toHaveLength(signedBefore);
  expect(await begin('another-owner')).toMatchObject({ status: 201 });
});
