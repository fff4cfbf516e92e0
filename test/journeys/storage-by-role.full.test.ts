// @module-tag storage
import { readFile } from 'node:fs/promises';
import { PutObjectCommand } from '@aws-sdk/client-s3';
import { chunkSource } from '@media-jobs/video/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { storedKeys } from '../builders/stage/stored-keys.ts';
import { submitJob, waitForJobEnd } from '../builders/stage/submitted-jobs.ts';
import { aBucket } from '../builders/storage/a-bucket.ts';
import { anS3ClientAt } from '../builders/storage/a-media-bucket.ts';
import { aStorageStage, type StorageStage } from './storage-stage.ts';

describe('a storage provider by a role of another account', () => {
  const bucket = 'bucket-of-another-account';
  const roleArn = 'arn:aws:iam::111122223333:role/results';
  const byRole = {
    name: 'By role',
    kind: 's3',
    bucket,
    region: 'us-east-1',
    prefix: 'videos/',
    access: { type: 'role', roleArn },
  };
  let stage: StorageStage;
  let byRoleId: string;
  beforeAll(async () => {
    stage = await aStorageStage();
    await aBucket(stage.running.stage.endpoints.s3, bucket);
    await trust({});
    byRoleId = ((await stage.api('POST', '/api/v1/storage-providers', byRole)).body as { id: string }).id;
  }, 300_000);
  afterAll(() => stage?.stop());

  /** The role trusts the stage as the API says, and may do more than the service needs. */
  async function trust({ externalId }: { externalId?: string }): Promise<void> {
    const { body } = await stage.api('GET', '/api/v1/storage-providers/external-id');
    const answer = body as { externalId: string; trustPolicy: { Version: string; Statement: unknown } };
    const text = JSON.stringify(answer.trustPolicy).replace(answer.externalId, externalId ?? answer.externalId);
    const Statement = [{ Effect: 'Allow', Action: 's3:*', Resource: '*' }];
    stage.running.stage.addForeignRole({
      roleArn,
      trustPolicy: JSON.parse(text),
      policy: { Version: '2012-10-17', Statement },
    });
  }

  const destination = () => ({ output: { format: 'mp4', storageProviderId: byRoleId } });

  it('passes its test', async () => {
    expect(await stage.api('POST', `/api/v1/storage-providers/${byRoleId}/test`)).toMatchObject({
      body: { ok: true },
    });
  });

  it('receives results of jobs in one function and in chunks, and is the source of the next one', async () => {
    const job = await stage.run(destination());
    expect(job).toMatchObject({ state: 'completed' });
    const key = job.output_files?.output?.storage_key ?? '';
    expect(key).toBe(`videos/${job.jobId}/output.mp4`);
    const response = await fetch(job.output?.signedUrl ?? '');
    expect([response.status, response.redirected]).toEqual([200, true]);
    await response.body?.cancel();
    const source = 'videos/source.mp4';
    const Body = await readFile(await chunkSource('constantRate'));
    const operator = anS3ClientAt(stage.running.stage.endpoints.s3);
    await operator.send(new PutObjectCommand({ Bucket: bucket, Key: source, Body }));
    operator.destroy();
    const input = { storageProviderId: byRoleId, key: source };
    const chunked = await stage.run({ ...destination(), input, speed: 'fast' });
    expect(chunked).toMatchObject({ state: 'completed', chunking: { chunks: 3 } });
    await stage.removeJob(job);
    expect(await storedKeys(stage.running, key)).toHaveLength(1);
  });

  it('receives a stream, whose playlist is read by the role for a GET and a HEAD alike', async () => {
    const stream = { format: 'm3u8', storageProviderId: byRoleId };
    const { outputs } = await stage.run({ output: stream, recipe: { name: 'hls', preset: 'ultrafast' } });
    const url = outputs?.hls ?? '';
    const [head, get] = [await fetch(url, { method: 'HEAD' }), await fetch(url)];
    const { byteLength } = await get.arrayBuffer();
    expect([head.status, get.status]).toEqual([200, 200]);
    expect(head.headers.get('content-length')).toBe(String(byteLength));
  });

  it('whose role trusts another external id is rejected with the cause', async () => {
    await trust({ externalId: 'local-of-another-owner' });
    const message =
      'the role could not be assumed, AWS answered AccessDenied (403): its trust policy must allow this service with the external id of the provider.';
    expect(await stage.api('POST', `/api/v1/storage-providers/${byRoleId}/test`)).toMatchObject({
      body: { ok: false, message: `Access failed: ${message}` },
    });
    expect(await stage.run(destination())).toMatchObject({
      state: 'failed',
      error: { code: 'UPLOAD_ERROR', message: expect.stringContaining(message) },
    });
  });

  it('is read, listed, and removed once no unfinished job names it', async () => {
    const path = `/api/v1/storage-providers/${byRoleId}`;
    expect(await stage.api('GET', path)).toMatchObject({ status: 200, body: { access: { roleArn } } });
    expect(await stage.api('GET', '/api/v1/storage-providers')).toMatchObject({
      body: { storageProviders: [{ id: byRoleId }] },
    });
    const { jobId } = await submitJob(stage.api, {
      input: { url: `${stage.customer.origin}/video.mp4` },
      ...destination(),
      recipe: { name: 'compress', preset: 'slow' },
    });
    expect(await stage.api('DELETE', path)).toMatchObject({ status: 409 });
    await stage.api('POST', `/api/v1/jobs/${jobId}/cancel`);
    await waitForJobEnd(stage.api, jobId);
    expect((await stage.api('DELETE', path)).status).toBe(204);
    expect((await stage.api('GET', path)).status).toBe(404);
  });
});
