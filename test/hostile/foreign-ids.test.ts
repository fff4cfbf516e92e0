// @module-tag requests
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { newJobId } from '../../adapters/runtime/random.ts';
import { aCompletedJob } from '../builders/jobs/ended-jobs.ts';
import { aClosedStage, type ClosedStage } from './closed-stage.ts';
import { base64url, jobs, noJob } from './hostile-paths.ts';
import { expectRejection, notFound } from './rejection.ts';

const noKey = notFound('There is no such API key.');
const noUploadId = notFound('There is no such upload.');
const noUpload = notFound('There is no such upload; it may be complete or expired.');

let world: ClosedStage;
const hers = { job: newJobId(new Date()), key: '', upload: '' };
beforeAll(async () => {
  world = await aClosedStage();
  const { ownerId, key, token } = world.alice;
  await world.store(aCompletedJob({ ownerId, jobId: hers.job }));
  const made = await world.sendAs(token)('/api/v1/keys', { method: 'POST', body: { name: 'hers' } });
  hers.key = (made.body as { keyId: string }).keyId;
  const sizeBytes = 6 * 1024 ** 3;
  const upload = await world.sendAs(key)('/api/v1/uploads', { method: 'POST', body: { sizeBytes } });
  hers.upload = (upload.body as { uploadId: string }).uploadId;
});
afterAll(() => world?.stop());

describe("another owner's", () => {
  it.each([
    ['GET', ''],
    ['DELETE', ''],
    ['GET', '/log'],
    ['POST', '/cancel'],
    ['POST', '/retry'],
    ['GET', '/deliveries'],
    ['POST', '/deliveries'],
  ])('job is unknown to %s …%s', async (method, action) => {
    const target = `${jobs}/${hers.job}${action}`;
    expectRejection(await world.rawAs(world.bob.key, { method, target }), noJob);
  });

  it('key is unknown', async () => {
    const target = `/api/v1/keys/${hers.key}`;
    expectRejection(await world.rawAs(world.bob.token, { method: 'DELETE', target }), noKey);
  });

  describe.each([
    ['complete', { parts: [{ partNumber: 1, etag: '"x"' }] }],
    ['parts', { partNumbers: [1] }],
  ])('upload is unknown to …/%s', (action, body) => {
    it.each([
      ['that of her upload', () => hers.upload, noUpload],
      ['no id of any', () => 'abc.def', noUploadId],
      ['a path', () => '..%2f..', noUploadId],
      ['a path in the part that S3 reads', () => `${randomUUID()}.${base64url('../../..')}`, noUploadId],
    ])('under %s', async (_, uploadId, rejection) => {
      const answer = await world.rawAs(world.bob.key, {
        method: 'POST',
        target: `/api/v1/uploads/${uploadId()}/${action}`,
        headers: [['Content-Type', 'application/json']],
        body: JSON.stringify(body),
      });
      expectRejection(answer, rejection);
    });
  });
});
