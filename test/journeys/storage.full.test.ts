// @module-tag storage
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PutObjectCommand } from '@aws-sdk/client-s3';
import { chunkSource, clipWith } from '@media-jobs/video/testing';
import { beforeAll, describe, expect, it } from 'vitest';
import type { JobResource } from '../../core/api/job-resource.ts';
import { submitJob, waitForJobEnd } from '../builders/stage/submitted-jobs.ts';
import { aProviderServer, type ProviderServer } from '../builders/storage/a-provider-server.ts';
import { aStorageStage, type StorageStage } from './storage-stage.ts';

let provider: ProviderServer;
let stage: StorageStage;
let id: string;

beforeAll(async () => {
  provider = await aProviderServer({ bucket: 'results-of-a-customer' });
  stage = await aStorageStage();
  id = ((await stage.api('POST', '/api/v1/storage-providers', settings())).body as { id: string }).id;
}, 300_000);

/** The provider of these tests, with another secret if one is given. */
function settings(secretAccessKey = provider.keys.secretAccessKey) {
  const { endpoint, bucket, keys } = provider;
  const access = { type: 'keys', accessKeyId: keys.accessKeyId, secretAccessKey };
  return { name: 'Ours', kind: 's3-compatible', endpoint, bucket, prefix: 'videos', access };
}

/** Runs a job whose files go to the provider. */
const run = (request: object) => stage.run({ output: { format: 'mp4', storageProviderId: id }, ...request });

/** The URLs that a playlist names, in its lines and in the attributes of its tags (RFC 8216, section 4). */
function urlsIn(playlist: string, base: string): string[] {
  const named = playlist.split('\n').map((line) => (line.startsWith('#') ? /URI="([^"]+)"/.exec(line)?.[1] : line));
  return [...new Set(named)].flatMap((name) => (name ? new URL(name, base).href : []));
}

/** Follows URLs, and those inside the playlists that they lead to. Returns the kinds of file that they led to. */
async function openAll(urls: readonly string[]): Promise<string[]> {
  const kinds = new Set<string>();
  for (const url of urls) {
    const response = await fetch(url);
    expect([url, response.status]).toEqual([url, 200]);
    const bytes = Buffer.from(await response.arrayBuffer());
    const isPlaylist = bytes.subarray(0, 7).toString() === '#EXTM3U';
    kinds.add(isPlaylist ? '#EXTM3U' : 'media');
    if (isPlaylist) for (const kind of await openAll(urlsIn(bytes.toString(), url))) kinds.add(kind);
    // A media file comes from the provider: by its own URL, or after a redirect of the API.
    else expect(new URL(response.url).origin).toBe(provider.endpoint);
  }
  return [...kinds].sort();
}

describe('a storage provider with keys of its own', () => {
  it('passes its test', async () => {
    expect(await stage.api('POST', `/api/v1/storage-providers/${id}/test`)).toMatchObject({
      status: 200,
      body: { ok: true },
    });
    expect(await provider.objects()).toEqual([]);
  });

  it('receives the result of a job, which the job opens by a redirect, and is the source of the next one', async () => {
    await stage.api('PUT', '/api/v1/settings', { defaultStorageProviderId: id });
    const job = await run({ output: { format: 'mp4', key: '{date} (new)/{jobId}.{extension}' } });
    expect(job).toMatchObject({ state: 'completed' });
    const key = `${job.createdAt.slice(0, 10)} (new)/${job.jobId}.mp4`;
    expect(job.output_files?.output).toMatchObject({ storage_provider_id: id, storage_key: key });
    expect(await provider.objects()).toEqual([`videos/${key}`]);
    expect(await provider.unfinishedUploads()).toEqual([]);
    const response = await fetch(job.output?.signedUrl ?? '');
    expect([response.status, response.redirected, new URL(response.url).origin]).toEqual([
      200,
      true,
      provider.endpoint,
    ]);
    const bytes = (await response.arrayBuffer()).byteLength;
    expect(bytes).toBe((job.output_files?.output?.size_mbytes ?? 0) * 1e6);
    const altered = job.output?.signedUrl.replace('/output.mp4', '/other.mp4') ?? '';
    expect((await fetch(altered)).status).toBe(403);

    const set = await run({
      input: { storageProviderId: id, key },
      output: { format: 'm3u8' },
      recipe: { name: 'hls', preset: 'ultrafast' },
    });
    expect(set).toMatchObject({ state: 'completed' });
    expect((await provider.objects()).filter((each) => each.includes(set.jobId))).toContain(
      `videos/${set.jobId}/hls.m3u8`,
    );
    const playlist = await fetch(set.outputs?.hls ?? '');
    expect([playlist.status, playlist.headers.get('content-type')]).toEqual([200, 'application/vnd.apple.mpegurl']);
    const text = await playlist.text();
    const head = await fetch(set.outputs?.hls ?? '', { method: 'HEAD' });
    expect([head.status, head.headers.get('content-length')]).toEqual([200, String(Buffer.byteLength(text))]);
    expect(await openAll(urlsIn(text, playlist.url))).toEqual(['#EXTM3U', 'media']);
    await stage.api('PUT', '/api/v1/settings', { defaultStorageProviderId: null });
  });

  it('is read and written by a worker that asks open-job twice, and has one session', async () => {
    await provider.client.send(
      new PutObjectCommand({
        Bucket: provider.bucket,
        Key: 'videos/short.mp4',
        Body: await readFile(await clipWith()),
      }),
    );
    const counted = () => {
      const { lambda, sts, kms } = stage.running.stage.calls();
      return [lambda.Invoke ?? 0, sts.AssumeRole ?? 0, kms.Decrypt ?? 0];
    };
    const before = counted();
    const job = await run({
      input: { storageProviderId: id, key: 'short.mp4' },
      output: { format: 'm3u8', storageProviderId: id },
      recipe: { name: 'hls', preset: 'ultrafast' },
    });
    expect(job, JSON.stringify(job.error)).toMatchObject({ state: 'completed' });
    expect(counted().map((calls, index) => calls - (before[index] ?? 0))).toEqual([2, 1, 2]);
  });

  it('receives the files of a pipeline, whose webhook names them', async () => {
    const submitted = await submitJob(stage.api, {
      input: { url: `${stage.customer.origin}/short.mp4` },
      output: { format: 'jpg', storageProviderId: id },
      steps: [
        { name: 'small', recipe: { name: 'compress', crf: 28, preset: 'ultrafast' } },
        { recipe: { name: 'thumbnails', every: 3600, width: 64 } },
      ],
      webhookUrl: `${stage.customer.origin}/hook`,
    });
    const { jobId, output_files: files = {} } = await waitForJobEnd(stage.api, submitted.jobId);
    const keys = Object.values(files).map((file) => file.storage_key ?? '');
    expect(keys).toHaveLength(2);
    expect(keys).toContain(`${jobId}/small.mp4`);
    expect(await provider.objects()).toEqual(expect.arrayContaining(keys.map((key) => `videos/${key}`)));
    const [webhook] = await stage.customer.seen(1, '/hook');
    const { data } = JSON.parse(String(webhook?.body)) as { data: JobResource };
    expect(data.output_files?.small).toMatchObject({ storage_provider_id: id, storage_key: `${jobId}/small.mp4` });
  });

  it('is the source of a job in chunks, whose functions read it there, and receives the result', async () => {
    const key = 'sources/long video.mp4';
    const Body = await readFile(await chunkSource('constantRate'));
    await provider.client.send(new PutObjectCommand({ Bucket: provider.bucket, Key: `videos/${key}`, Body }));
    const opened: string[] = [];
    provider.failWith(({ method, url = '', headers }) => {
      if (method === 'HEAD' && url.includes('/sources/')) opened.push(String(headers['if-match']));
      return undefined;
    });
    const job = await run({ input: { storageProviderId: id, key }, speed: 'fast' });
    provider.failWith();
    expect(job).toMatchObject({ state: 'completed', chunking: { chunks: 3 } });
    // The worker asks for the version that all chunk tasks, three of the video and one of the audio, require.
    const [none, version, ...others] = opened;
    expect([none, version]).toEqual(['undefined', expect.stringMatching(/^"\w+"$/)]);
    expect(others).toEqual([version, version, version]);
    expect(await provider.objects()).toContain(`videos/${job.jobId}/output.mp4`);
    expect(await provider.unfinishedUploads()).toEqual([]);
  });

  it('names a source that is not there, and the answer of the provider to one that it does not show', async () => {
    const input = { storageProviderId: id, key: 'sources/misspelt.mp4' };
    expect(await run({ input })).toMatchObject({
      state: 'rejected',
      error: {
        code: 'INPUT_UNREACHABLE',
        retryable: false,
        message: 'There is no such object in the bucket of the storage provider',
      },
    });
    provider.failWith(({ url = '' }) => (url.includes('misspelt') ? { status: 403, code: 'AccessDenied' } : undefined));
    const hidden = await run({ input });
    provider.failWith();
    expect(hidden.error?.message).toBe(
      'The input could not be read: the provider answered AccessDenied (403). Check the key too: a missing object that may not be listed is denied as well.',
    );
  });

  it('that rejects the files keeps nothing, and receives them by a retry without another encoding', async () => {
    await stage.api('PUT', `/api/v1/storage-providers/${id}`, settings('not/the+secret'));
    const failed = await run({});
    expect(failed).toMatchObject({
      state: 'failed',
      error: {
        code: 'UPLOAD_ERROR',
        stage: 'uploading',
        message: expect.stringContaining('SignatureDoesNotMatch (403)'),
      },
    });
    await stage.api('PUT', `/api/v1/storage-providers/${id}`, settings());
    const { body } = await stage.api('POST', `/api/v1/jobs/${failed.jobId}/retry`);
    const retried = await waitForJobEnd(stage.api, (body as JobResource).jobId);
    expect(retried).toMatchObject({ state: 'completed', retryOf: failed.jobId });
    expect(await provider.objects()).toContain(`videos/${retried.jobId}/output.mp4`);
    expect(await stage.api('GET', `/api/v1/jobs/${retried.jobId}/log`)).toMatchObject({ body: { attempts: [] } });
  });

  it('receives some outputs of a job, and another provider the others; all of them go with the job', async () => {
    const archive = { ...settings(), name: 'Archive', prefix: 'archive' };
    const { id: other } = (await stage.api('POST', '/api/v1/storage-providers', archive)).body as { id: string };
    const made = { recipe: { name: 'compress', preset: 'ultrafast', maxWidth: 64 }, format: 'mp4', key: '{jobId}.mp4' };
    const outputs = { ours: { ...made, storageProviderId: id }, theirs: { ...made, storageProviderId: other } };
    const job = await stage.run({ mode: 'outputs', recipe: undefined, output: undefined, outputs });
    expect(job, JSON.stringify(job.error)).toMatchObject({ state: 'completed' });
    const found = async () => (await provider.objects()).filter((key) => key.includes(job.jobId)).toSorted();
    expect(await found()).toEqual([`archive/${job.jobId}.mp4`, `videos/${job.jobId}.mp4`]);
    for (const url of Object.values(job.outputs ?? {})) expect((await fetch(url)).status).toBe(200);
    expect(job.output_files).toMatchObject({
      ours: { storage_provider_id: id },
      theirs: { storage_provider_id: other },
    });
    await stage.removeJob(job, '?files=true');
    expect(await found()).toEqual([]);
  });

  it('has its secret nowhere but in its ciphertext: not in logs, records, state machines or files', async () => {
    const { secretAccessKey } = provider.keys;
    const found = stage.running.log.filter((line) => line.includes(secretAccessKey));
    const names = await readdir(stage.running.dataDirectory, { recursive: true, withFileTypes: true });
    for (const entry of names.filter((each) => each.isFile())) {
      const path = join(entry.parentPath, entry.name);
      const text = await readFile(path, 'latin1').catch(() => '');
      if (text.includes(secretAccessKey)) found.push(path);
    }
    expect(found).toEqual([]);
  });
});
