import { readFile } from 'node:fs/promises';
import { PutObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import { chunkSource } from '@media-jobs/video/testing';
import { expect, it } from 'vitest';
import { underPrefix } from '../../core/storage/object-key.ts';
import type { StorageStage } from './storage-stage.ts';

/** A storage provider whose access is no key pair, and a client of its bucket. */
export type SuiteProvider = { stage: StorageStage; id: string; bucket: string; prefix: string; client: S3Client };

/** What every storage provider does for jobs, whatever its access. */
export function storageProviderSuite(provider: () => SuiteProvider): void {
  const destination = () => ({ output: { format: 'mp4', storageProviderId: provider().id } });

  it('passes its test', async () => {
    const { stage, id } = provider();
    expect(await stage.api('POST', `/api/v1/storage-providers/${encodeURIComponent(id)}/test`)).toMatchObject({
      body: { ok: true },
    });
  });

  it('receives the result of a job, whose key is the source of the next one', async () => {
    const { stage, id } = provider();
    const job = await stage.run(destination());
    expect(job, JSON.stringify(job.error)).toMatchObject({ state: 'completed' });
    const { storage_key: key = '', storage_provider_id } = job.output_files?.output ?? {};
    expect([storage_provider_id, key]).toEqual([id, `${job.jobId}/output.mp4`]);
    const response = await fetch(job.output?.signedUrl ?? '');
    expect([response.status, response.redirected]).toEqual([200, true]);
    await response.body?.cancel();
    const next = await stage.run({ ...destination(), input: { storageProviderId: id, key } });
    expect(next, JSON.stringify(next.error)).toMatchObject({ state: 'completed' });
  });

  it('is read by chunks in place, and receives what they make', async () => {
    const { stage, id, bucket, prefix, client } = provider();
    const Key = underPrefix('source.mp4', prefix);
    const Body = await readFile(await chunkSource('constantRate'));
    await client.send(new PutObjectCommand({ Bucket: bucket, Key, Body }));
    const input = { storageProviderId: id, key: 'source.mp4' };
    const chunked = await stage.run({ ...destination(), input, speed: 'fast' });
    expect(chunked, JSON.stringify(chunked.error)).toMatchObject({ state: 'completed', chunking: { chunks: 3 } });
  });

  it('receives a stream, whose playlist is read for a GET and a HEAD alike', async () => {
    const { stage, id } = provider();
    const output = { format: 'm3u8', storageProviderId: id };
    const { outputs } = await stage.run({ output, recipe: { name: 'hls', preset: 'ultrafast' } });
    const url = outputs?.hls ?? '';
    const [head, get] = [await fetch(url, { method: 'HEAD' }), await fetch(url)];
    const { byteLength } = await get.arrayBuffer();
    expect([head.status, get.status]).toEqual([200, 200]);
    expect(head.headers.get('content-length')).toBe(String(byteLength));
  });

  it('keeps the files of a deleted job, unless they are to be deleted too', async () => {
    const { stage, id } = provider();
    const readBack = async (query: string) => {
      const job = await stage.run(destination());
      await stage.removeJob(job, query);
      const input = { storageProviderId: id, key: job.output_files?.output?.storage_key ?? '' };
      return stage.run({ ...destination(), input });
    };
    expect(await readBack('')).toMatchObject({ state: 'completed' });
    const message = 'There is no such object in the bucket of the storage provider';
    expect(await readBack('?files=true')).toMatchObject({
      state: 'rejected',
      error: { code: 'INPUT_UNREACHABLE', message, retryable: false },
    });
  });

  it('rejects a key that begins with its prefix, and says so', async () => {
    const { stage, id, prefix } = provider();
    const message = `begins with the prefix ${prefix} of the storage provider. Keys are below it: leave it out`;
    const request = {
      mode: 'recipe',
      input: { storageProviderId: id, key: `${prefix}in.mp4` },
      output: { format: 'mp4', storageProviderId: id, key: `${prefix}{jobId}.mp4` },
      recipe: { name: 'mute' },
    };
    const details = ['input.key', 'output.key'].map((path) => ({ path, message }));
    expect(await stage.api('POST', '/api/v1/jobs', request)).toMatchObject({
      status: 400,
      body: { error: { details } },
    });
  });
}
