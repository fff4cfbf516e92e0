// @module-tag storage
import { S3Client } from '@aws-sdk/client-s3';
import { clientOptions, s3Credentials } from '@media-jobs/local-stage/emulators';
import { afterUse } from '@media-jobs/testing/after-use';
import { beforeAll, describe, expect, it } from 'vitest';
import { submitJob, waitForJobEnd } from '../builders/stage/submitted-jobs.ts';
import { aBucket } from '../builders/storage/a-bucket.ts';
import { storageProviderSuite } from './provider-suite.ts';
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
  let client: S3Client;
  beforeAll(async () => {
    stage = await aStorageStage();
    await aBucket(stage.running.stage.endpoints.s3, bucket);
    client = new S3Client({
      ...clientOptions(stage.running.stage.endpoints.s3),
      credentials: s3Credentials,
      forcePathStyle: true,
    });
    afterUse(() => client.destroy());
    await trust({});
    byRoleId = ((await stage.api('POST', '/api/v1/storage-providers', byRole)).body as { id: string }).id;
  }, 300_000);

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

  storageProviderSuite(() => ({ stage, id: byRoleId, bucket, prefix: byRole.prefix, client }));

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
