// @module-tag storage
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { GetObjectTaggingCommand, HeadObjectCommand, PutObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import { afterUse } from '@media-jobs/testing/after-use';
import { clipWith, generatedFile } from '@media-jobs/video/testing';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { localOwnerId } from '../../lib/settings/local-owner.ts';
import { anAssemblyWith } from '../builders/stage/assembly-with-settings.ts';
import type { Template } from '../builders/stage/changed-assembly.ts';
import { patience } from '../builders/stage/patience.ts';
import { aForeignClient, foreignKeys, hasMoto, startMoto } from '../builders/storage/foreign-servers.ts';
import { storageProviderSuite } from './provider-suite.ts';
import { aStorageStage, type StorageStage } from './storage-stage.ts';

const buckets = [
  { name: 'sources', bucket: 'foreign-sources', prefix: 'raw/', access: 'read' },
  { name: 'results', bucket: 'foreign-results', prefix: 'of/{ownerId}/', access: 'read-write', create: true },
];
const names = buckets.map(({ bucket }) => bucket);
const results = 'bucket:results';
const source = 's3://foreign-sources/raw/a film?.mp4';

describe.skipIf(!(await hasMoto()))('buckets of the account, on an S3 server of others', () => {
  let client: S3Client;
  let stage: StorageStage;
  let assemblyDirectory: string;
  let template: string;
  const templatePath = () => join(assemblyDirectory, 'service.template.json');
  beforeAll(async () => {
    assemblyDirectory = await anAssemblyWith({ buckets });
    template = await readFile(templatePath(), 'utf8');
    const server = await startMoto();
    afterUse(() => server[Symbol.asyncDispose]());
    // The stage makes the other bucket.
    client = await aForeignClient(server, ['foreign-sources']);
    afterUse(() => client.destroy());
    const put = async (Key: string, path: string) =>
      client.send(new PutObjectCommand({ Bucket: 'foreign-sources', Key, Body: await readFile(path) }));
    await put('raw/a film?.mp4', await clipWith());
    await put(
      'raw/logo.png',
      await generatedFile('logo.png', ['-f', 'lavfi', '-i', 'color=red:size=16x16', '-frames:v', '1']),
    );
    const otherS3 = { endpoint: server.endpoint, credentials: foreignKeys, buckets: names };
    stage = await aStorageStage({ assemblyDirectory, otherS3, buckets: names });
  }, 300_000);

  storageProviderSuite(() => {
    const [bucket, prefix] = ['foreign-results', `of/${localOwnerId}/`];
    return { stage, id: results, bucket, prefix, client };
  });

  it('are listed as providers of the stage, which nobody changes or removes', async () => {
    const { body } = await stage.api('GET', '/api/v1/storage-providers');
    const { storageProviders } = body as { storageProviders: { id: string; access: object }[] };
    expect(storageProviders.map(({ id, access }) => [id, access])).toEqual([
      ['bucket:sources', { type: 'stage' }],
      [results, { type: 'stage' }],
    ]);
    const access = { type: 'keys', accessKeyId: 'AKIA', secretAccessKey: 'secret' };
    const settings = { name: 'Mine', kind: 's3', bucket: 'mine', region: 'us-east-1', access };
    for (const [method, sent] of [
      ['PUT', settings],
      ['DELETE', undefined],
    ] as const) {
      const answer = await stage.api(method, `/api/v1/storage-providers/${results}`, sent);
      expect(answer).toMatchObject({ status: 409, body: { error: { code: 'STORAGE_PROVIDER_OF_STAGE' } } });
      expect(await stage.api(method, '/api/v1/storage-providers/bucket:other', sent)).toMatchObject({ status: 404 });
    }
  });

  it('have the input and the watermark of a job by s3:// URLs, and its result with headers, class and tags', async () => {
    const headers = { cacheControl: 'public, max-age=60', contentDisposition: 'inline' };
    const tags = { team: 'a b', cost: '1+1=2' };
    const job = await stage.run({
      input: { url: source },
      output: {
        format: 'mp4',
        storageProviderId: results,
        key: 'a/{jobId}.mp4',
        headers,
        tags,
        storageClass: 'STANDARD_IA',
      },
      recipe: { name: 'watermark', image: 's3://foreign-sources/raw/logo.png' },
    });
    expect(job, JSON.stringify(job.error)).toMatchObject({ state: 'completed' });
    const object = { Bucket: 'foreign-results', Key: `of/${localOwnerId}/a/${job.jobId}.mp4` };
    expect(await client.send(new HeadObjectCommand(object))).toMatchObject({
      ...{ CacheControl: headers.cacheControl, ContentDisposition: headers.contentDisposition },
      ...{ ContentType: 'video/mp4', StorageClass: 'STANDARD_IA' },
    });
    const { TagSet = [] } = await client.send(new GetObjectTaggingCommand(object));
    expect(Object.fromEntries(TagSet.map(({ Key, Value }) => [Key, Value]))).toEqual(tags);
  });

  it.each([
    ['input.url', 's3://foreign-sources/other/a.mp4', 'INVALID_URL', 'setting `buckets`'],
    ['input.url', 's3://unlisted/a.mp4', 'INVALID_URL', 'setting `buckets`'],
    ['input.url', 's3://foreign-results/of/another-owner/a.mp4', 'INVALID_URL', 'setting `buckets`'],
    ['output.storageProviderId', 'bucket:sources', 'VALIDATION_ERROR', 'read only'],
    ['output.storageProviderId', 'bucket:unlisted', 'VALIDATION_ERROR', 'no such storage provider'],
  ])('rejects %s %s', async (path, value, code, message) => {
    const request = {
      mode: 'recipe',
      input: { url: path === 'input.url' ? value : source },
      output: { format: 'mp4', storageProviderId: path === 'input.url' ? results : value },
      recipe: { name: 'mute' },
    };
    const { status, body } = await stage.api('POST', '/api/v1/jobs', request);
    const details = [{ path, message: expect.stringContaining(message) }];
    expect([status, body]).toMatchObject([400, { error: { code, details } }]);
  });

  it('lack an object: its job is rejected', async () => {
    const job = await stage.run({ input: { url: 's3://foreign-sources/raw/missing.mp4' } });
    expect(job).toMatchObject({ state: 'rejected', error: { code: 'INPUT_UNREACHABLE' } });
  });

  /** Restarts the stage without an action on the objects or the bucket of one of these buckets. */
  async function without(action: string): Promise<void> {
    const changed = JSON.parse(template) as Template;
    for (const { Type, Properties } of Object.values(changed.Resources)) {
      if (Type !== 'AWS::IAM::Policy') continue;
      const { PolicyDocument } = Properties;
      const reduced = PolicyDocument.Statement.map((statement: { Action: string | string[]; Resource: unknown }) => {
        if (!JSON.stringify(statement.Resource).includes('foreign-')) return statement;
        return { ...statement, Action: [statement.Action].flat().filter((each) => each !== action) };
      });
      PolicyDocument.Statement = reduced.filter(({ Action }: { Action: unknown[] }) => Action.length > 0);
    }
    await writeFile(templatePath(), JSON.stringify(changed));
    await stage.running.restart();
  }

  const test = () => stage.api('POST', `/api/v1/storage-providers/${results}/test`);
  const toResults = (more: object = {}) =>
    stage.run({ output: { format: 'mp4', storageProviderId: results, ...more } });
  const denied = { message: expect.stringContaining('AccessDenied (403)') };

  it.each<[string, () => Promise<unknown>, object | undefined]>([
    ['s3:GetObject', () => stage.run({ input: { url: source } }), { state: 'rejected', error: denied }],
    ['s3:PutObject', () => toResults(), { state: 'failed', error: denied }],
    ['s3:PutObjectTagging', () => toResults({ tags: { a: 'b' } }), { state: 'failed', error: denied }],
    ['s3:ListBucket', test, { body: { ok: false, message: expect.stringMatching(/^List failed/) } }],
    ['s3:DeleteObject', test, { body: { ok: false, message: expect.stringMatching(/^Removal failed/) } }],
    ['s3:AbortMultipartUpload', failingUpload, { state: 'failed' }],
    ['s3:ListBucketMultipartUploads', deletedJob, undefined],
  ])('are refused without %s', async (action, act, answer) => {
    await without(action);
    const answered = await act();
    if (answer !== undefined) expect(answered).toMatchObject(answer);
    const refused = () => stage.running.stage.permissions().denied.map((each) => each.action);
    await vi.waitFor(async () => {
      await stage.running.stage.fireSchedules();
      expect(refused()).toContain(action);
    }, patience);
  });

  /** A job whose bucket fails once its uploads are begun. */
  async function failingUpload() {
    const end = stage.running.stage.faults.fail({ service: 's3', operation: 'UploadPart', kind: 'error' });
    try {
      return await toResults();
    } finally {
      end();
    }
  }

  async function deletedJob() {
    const { jobId } = await toResults();
    return stage.api('DELETE', `/api/v1/jobs/${jobId}`);
  }
});
