// @module-tag nightly
// @module-tag storage
import { beforeAll, describe, expect, it } from 'vitest';
import { allScopes } from '../../core/access/scopes.ts';
import { localOwnerId } from '../../lib/settings/local-owner.ts';
import { anApiKeyOf } from '../builders/stage/an-api-key.ts';
import { type Api, aRunningStage, type RunningStage } from '../builders/stage/running-stage.ts';

let running: RunningStage;
let api: Api;
beforeAll(async () => {
  running = await aRunningStage();
  api = running.apiAs(await anApiKeyOf(running.stage, localOwnerId, { scopes: allScopes }));
});

const secret = 'the/secret+access+key+of+this+test/01234';
const byKeys = { type: 'keys', accessKeyId: 'S3RVER', secretAccessKey: secret };
const aProvider = (more: object = {}) => ({
  name: 'Archive',
  kind: 's3',
  bucket: 'archive',
  region: 'us-east-1',
  access: byKeys,
  ...more,
});

type Provider = { id: string; updatedAt: string };

describe('a storage provider', () => {
  it('is created, read, listed, replaced and removed, never with its secret', async () => {
    const created = await api('POST', '/api/v1/storage-providers', aProvider({ prefix: 'videos/' }));
    expect(created.status).toBe(201);
    const { id } = created.body as Provider;
    const path = `/api/v1/storage-providers/${id}`;
    expect(created.headers.get('location')).toBe(path);
    expect(await api('GET', path)).toMatchObject({ status: 200, body: created.body });
    expect(await api('GET', '/api/v1/storage-providers')).toMatchObject({ body: { storageProviders: [created.body] } });
    const renamed = await api(
      'PUT',
      path,
      aProvider({ name: 'Videos', access: { type: 'keys', accessKeyId: 'AKIA2' } }),
    );
    expect(renamed).toMatchObject({ status: 200, body: { name: 'Videos', access: { accessKeyId: 'AKIA2' } } });
    expect(JSON.stringify([created.body, renamed.body])).not.toContain(secret);
    expect(await api('DELETE', path)).toMatchObject({ status: 204 });
    expect(await api('GET', path)).toMatchObject({ status: 404 });
  });

  it('has the result of its test', async () => {
    const { id } = (await api('POST', '/api/v1/storage-providers', aProvider())).body as Provider;
    const answer = await api('POST', `/api/v1/storage-providers/${id}/test`);
    expect(answer).toMatchObject({
      status: 200,
      body: { ok: false, message: 'Write failed: the provider answered NoSuchBucket (404).' },
    });
    expect(await api('GET', `/api/v1/storage-providers/${id}`)).toMatchObject({ body: { lastTest: answer.body } });
  });

  it('has the trust policy that a role needs', async () => {
    const { status, body } = await api('GET', '/api/v1/storage-providers/external-id');
    expect({ status, body }).toMatchObject({
      status: 200,
      body: {
        externalId: expect.stringMatching(/^local-[0-9a-f]{40}$/),
        principalArn: 'arn:aws:iam::000000000000:root',
      },
    });
  });
});
