// @module-tag storage
import { beforeAll, expect, it, vi } from 'vitest';
import type { JobResource } from '../../core/api/job-resource.ts';
import { anAssemblyWith } from '../builders/stage/assembly-with-settings.ts';
import { patience } from '../builders/stage/patience.ts';
import { aStorageStage, type StorageStage } from './storage-stage.ts';

// What a bucket of the account is rarely asked for. `npm run permissions` needs each statement used once.
const storageProviderId = 'bucket:files';
const missing = 's3://files-of-team/missing';
const request = { recipe: { name: 'thumbnail' }, output: { format: 'jpg', storageProviderId } };
let stage: StorageStage;

beforeAll(async () => {
  const buckets = [{ name: 'files', bucket: 'files-of-team', access: 'read-write', create: true }];
  stage = await aStorageStage({ assemblyDirectory: await anAssemblyWith({ buckets }) });
}, 300_000);

it('passes its test as a storage provider', async () => {
  const test = await stage.api('POST', `/api/v1/storage-providers/${storageProviderId}/test`);
  expect(test).toMatchObject({ body: { ok: true } });
});

it('loses the files of a job that is deleted with them', async () => {
  const again = (job: JobResource) =>
    stage.run({ ...request, input: { storageProviderId, key: job.output_files?.output?.storage_key ?? '' } });
  const job = await stage.run(request);
  expect(job, JSON.stringify(job.error)).toMatchObject({ state: 'completed' });
  expect(await again(job)).toMatchObject({ state: 'completed' });
  await stage.removeJob(job, '?files=true');
  expect(await again(job)).toMatchObject({ state: 'rejected', error: { code: 'INPUT_UNREACHABLE' } });
});

it('keeps nothing of an upload that fails once it has begun', async () => {
  const end = stage.running.stage.faults.fail({ service: 's3', operation: 'UploadPart', kind: 'error' });
  try {
    expect(await stage.run(request)).toMatchObject({ state: 'failed' });
  } finally {
    end();
  }
});

it('lacks a manifest: its batch has failed', async () => {
  const batch = { mode: 'recipe', output: { format: 'jpg' }, recipe: { name: 'thumbnail' } };
  const { body } = await stage.api('POST', '/api/v1/batches', { manifestUrl: missing, request: batch });
  const route = `/api/v1/batches/${(body as { batchId: string }).batchId}`;
  const failed = { state: 'failed', error: { code: 'INPUT_UNREACHABLE' } };
  await vi.waitFor(async () => expect((await stage.api('GET', route)).body).toMatchObject(failed), patience);
});
