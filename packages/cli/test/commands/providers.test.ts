import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { getStorageProviderContract, testStorageProviderContract } from '@media-jobs/core/api';
import { aTemporaryFolder } from '@media-jobs/testing/temporary-folder';
import { beforeEach, describe, expect, it } from 'vitest';
import { aStubApi } from '../builders/a-stub-api.ts';
import { anApiKey, runCli } from '../builders/run-cli.ts';

const { example: role } = getStorageProviderContract.responses[200];
const defaults = { headers: { cacheControl: 'no-cache' }, tags: { team: 'a' } };
const keys = { ...role, access: { type: 'keys', accessKeyId: 'AKIA1' }, prefix: undefined, ...defaults };
const keysId = 'sp_0199c3b51b2c7f10a4d25e6f8a90b1c3';
const secret = 'a/secret+access+key';
const path = '/api/v1/storage-providers';
const location = { name: role.name, kind: 's3', bucket: 'example-media', region: 'eu-central-1' };

const folder = await aTemporaryFolder();
writeFileSync(join(folder, 'secret'), `${secret}\n`);
const rejected = { error: { code: 'VALIDATION_ERROR', message: `not ${secret}`, retryable: false } };
const api = await aStubApi({
  [`GET ${path}`]: { status: 200, body: { storageProviders: [role] } },
  [`POST ${path}`]: { status: 201, body: role },
  [`GET ${path}/${role.id}`]: { status: 200, body: role },
  [`PUT ${path}/${role.id}`]: { status: 200, body: role },
  [`GET ${path}/${keysId}`]: { status: 200, body: keys },
  [`PUT ${path}/${keysId}`]: { status: 200, body: keys },
  [`POST ${path}/${role.id}/test`]: { status: 200, body: testStorageProviderContract.responses[200].example },
  [`DELETE ${path}/${role.id}`]: { status: 204 },
  [`DELETE ${path}/${keysId}`]: { status: 400, body: rejected },
});
beforeEach(() => void api.requests.splice(0));

type Secrets = { variable?: string; input?: string };

async function providers(args: readonly string[], { variable, input = '' }: Secrets = {}) {
  const environment = { MEDIA_JOBS_URL: api.origin, MEDIA_JOBS_KEY: anApiKey, MEDIA_JOBS_STORAGE_SECRET: variable };
  const overrides = { environment, workingDirectory: folder, readStandardInput: async () => input };
  const result = await runCli(['providers', ...args], overrides);
  const sent = api.requests.find(({ method }) => method === 'POST' || method === 'PUT');
  return { ...result, body: sent && sent.body !== '' ? JSON.parse(sent.body) : undefined };
}

const addKeys = ['add', role.name, '--kind', 's3', '--bucket', 'example-media', '--region', 'eu-central-1'];

describe('providers add', () => {
  it.each([
    ['a file', ['--secret-file', 'secret'], {}],
    ['standard input', ['--secret-file', '-'], { input: `${secret}\r\n` }],
    ['the environment', [], { variable: secret }],
  ] as [string, string[], Secrets][])('reads the secret from %s', async (_, options, secrets) => {
    const { exitCode, out, err, body } = await providers([...addKeys, '--access-key-id', 'AKIA1', ...options], secrets);
    const access = { type: 'keys', accessKeyId: 'AKIA1', secretAccessKey: secret };
    expect(body, err).toEqual({ ...location, access });
    expect([exitCode, out]).toEqual([0, `${role.id}\n`]);
    expect(err).toBe(`To test it: media-jobs providers test ${role.id}\n`);
  });

  it('takes a role in place of a secret', async () => {
    const { body } = await providers([...addKeys, '--role-arn', role.access.roleArn, '--prefix', 'videos/']);
    const access = { type: 'role', roleArn: role.access.roleArn };
    expect(body).toEqual({ ...location, prefix: 'videos/', access });
  });

  it.each([
    [['--access-key-id', 'AKIA1'], 'The secret access key is missing.\nSet MEDIA_JOBS_STORAGE_SECRET'],
    [['--access-key-id', 'AKIA1', '--secret-file', '-'], 'The secret access key is empty.'],
    [[], 'Give --role-arn or --access-key-id.'],
    [['--role-arn', role.access.roleArn, '--access-key-id', 'AKIA1'], '--role-arn cannot be combined'],
    [['--secret-access-key', secret], "unknown option '--secret-access-key'"],
  ])('rejects %j before any call', async (options, message) => {
    const { exitCode, err } = await providers([...addKeys, ...options]);
    expect(err).toContain(message);
    expect([exitCode, api.requests]).toEqual([2, []]);
  });
});

describe('providers update and rotate', () => {
  it('keeps what no option changes, and the stored secret', async () => {
    const { body } = await providers(['update', keysId, '--name', 'Videos'], { variable: 'of another provider' });
    const access = { type: 'keys', accessKeyId: 'AKIA1' };
    expect(body).toEqual({ ...location, ...defaults, name: 'Videos', access });
  });

  it('removes the prefix if it is empty, and keeps the role', async () => {
    const { body } = await providers(['update', role.id, '--prefix', '']);
    expect(body).toEqual({ ...location, access: { type: 'role', roleArn: role.access.roleArn } });
  });

  it('removes region and endpoint if the kind changes', async () => {
    const { body } = await providers(['update', keysId, '--kind', 'gcs']);
    expect(body).toMatchObject({ kind: 'gcs', bucket: 'example-media' });
    expect(body).not.toHaveProperty('region');
  });

  it('rotate replaces the access key only', async () => {
    const { body } = await providers(['rotate', keysId, ...'--access-key-id AKIA2 --secret-file secret'.split(' ')]);
    const access = { type: 'keys', accessKeyId: 'AKIA2', secretAccessKey: secret };
    expect(body).toEqual({ ...location, ...defaults, access });
  });

  it('changes one header, the storage class and the tags', async () => {
    const options = '--content-disposition inline --storage-class STANDARD_IA --tag a=1 --tag b=2';
    const { body } = await providers(['update', keysId, ...options.split(' ')]);
    expect(body).toMatchObject({
      ...{ headers: { cacheControl: 'no-cache', contentDisposition: 'inline' }, storageClass: 'STANDARD_IA' },
      tags: { a: '1', b: '2' },
    });
  });
});

describe('providers', () => {
  it('list shows a line for each, with the state of its test', async () => {
    const { out } = await providers([]);
    expect(out.trimEnd().split('\n')[1]?.split(/ {2,}/)).toEqual([
      ...[role.id, 's3', 'example-media/videos/', 'none', 'Production bucket'],
    ]);
  });

  it('show prints the external id that a role must require', async () => {
    const { out } = await providers(['show', role.id]);
    expect(out).toMatch(new RegExp(`External id +${role.access.externalId}`));
  });

  it('test shows the failed step and exits with 1', async () => {
    const { exitCode, out } = await providers(['test', role.id]);
    expect([exitCode, out]).toEqual([1, 'Write failed: the provider answered AccessDenied (403).\n']);
  });

  it('delete reports that the files stay', async () => {
    expect((await providers(['delete', role.id])).out).toContain('Its files stay.');
  });

  it('an error never shows the secret', async () => {
    const { err } = await providers(['delete', keysId], { variable: secret });
    expect(err).toContain('not …');
    expect(err).not.toContain(secret);
  });
});
