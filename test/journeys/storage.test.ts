import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PutObjectCommand } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { allScopes } from '../../core/access/scopes.ts';
import type { JobResource } from '../../core/api/job-resource.ts';
import { chunkSettingsSchema } from '../../core/chunking/settings.ts';
import { localOwnerId } from '../../local/stage-table.ts';
import { chunkSource } from '../builders/chunking/chunk-sources.ts';
import { aWebServer, type WebServer } from '../builders/http/web-server.ts';
import { clipWith } from '../builders/media/clips.ts';
import { anApiKeyOf } from '../builders/stage/an-api-key.ts';
import { type Api, aRunningStage, type RunningStage } from '../builders/stage/running-stage.ts';
import { storedKeys } from '../builders/stage/stored-keys.ts';
import { waitForJobEnd } from '../builders/stage/wait-for-job.ts';
import { aBucket } from '../builders/storage/a-bucket.ts';
import { anS3ClientAt } from '../builders/storage/a-media-bucket.ts';
import { aProviderServer, type ProviderServer } from '../builders/storage/a-provider-server.ts';

const chunks = chunkSettingsSchema.parse({ targetChunkSeconds: 3 });

let provider: ProviderServer;
let customer: WebServer;
let running: RunningStage;
let api: Api;
let id: string;

beforeAll(async () => {
  provider = await aProviderServer({ bucket: 'results-of-a-customer' });
  const files = { '/short.mp4': await clipWith(), '/video.mp4': await chunkSource('constantRate') };
  customer = await aWebServer(async ({ path }, response) => {
    response.end(path === '/hook' ? '' : await readFile(files[path as keyof typeof files]));
  });
  running = await aRunningStage({ environment: { CHUNKING_SETTINGS: JSON.stringify(chunks) } });
  api = running.apiAs(await anApiKeyOf(running.stage, localOwnerId, { scopes: allScopes }));
  id = ((await api('POST', '/api/v1/storage-providers', settings())).body as { id: string }).id;
}, 300_000);

afterAll(async () => {
  await running?.stop();
  await customer?.close();
  await provider?.stop();
});

/** The provider of these tests, with an own secret if one is given. */
function settings(secretAccessKey = provider.keys.secretAccessKey) {
  const { endpoint, bucket, keys } = provider;
  const access = { type: 'keys', accessKeyId: keys.accessKeyId, secretAccessKey };
  return { name: 'Ours', kind: 's3-compatible', endpoint, bucket, prefix: 'videos', access };
}

const compress = { name: 'compress', crf: 28, preset: 'ultrafast' };

async function run(request: object): Promise<JobResource> {
  const { body } = await api('POST', '/api/v1/jobs', {
    mode: 'recipe',
    input: { url: `${customer.origin}/short.mp4` },
    output: { format: 'mp4', storageProviderId: id },
    recipe: compress,
    ...request,
  });
  return waitForJobEnd(api, (body as JobResource).jobId);
}

/** The URLs that a playlist names, in its lines and in the attributes of its tags (RFC 8216, section 4). */
function urlsIn(playlist: string): string[] {
  const named = playlist
    .split('\n')
    .map((line) => (line.startsWith('#') ? /URI="([^"]+)"/.exec(line)?.[1] : line));
  return named.filter((url) => url?.startsWith('http')) as string[];
}

/** Follows URLs, and those inside the playlists that they lead to. Returns which kinds of file all of them were. */
async function openAll(urls: readonly string[]): Promise<string[]> {
  const kinds = new Set<string>();
  for (const url of urls) {
    const response = await fetch(url);
    expect([url, response.status]).toEqual([url, 200]);
    const bytes = Buffer.from(await response.arrayBuffer());
    const isPlaylist = bytes.subarray(0, 7).toString() === '#EXTM3U';
    kinds.add(isPlaylist ? '#EXTM3U' : 'media');
    if (isPlaylist) for (const kind of await openAll(urlsIn(bytes.toString()))) kinds.add(kind);
    // A file of a set is that of the provider, by its signature, or the API's redirect to it.
    else expect(new URL(response.url).origin).toBe(provider.endpoint);
  }
  return [...kinds].sort();
}

/** Deletes a job and runs reconcile until nothing of it is left in the stage. */
async function removeJob({ jobId }: JobResource, query = ''): Promise<void> {
  expect((await api('DELETE', `/api/v1/jobs/${jobId}${query}`)).status).toBe(204);
  await vi.waitFor(
    async () => {
      await running.stage.fireSchedules();
      expect(await storedKeys(running, `/${jobId}/`)).not.toContainEqual(
        expect.stringMatching(/^(work|jobs)\//),
      );
    },
    { timeout: 60_000, interval: 500 },
  );
}

describe('a storage provider with keys of its own', () => {
  it('passes its test', async () => {
    expect(await api('POST', `/api/v1/storage-providers/${id}/test`)).toMatchObject({
      status: 200,
      body: { ok: true },
    });
    expect(await provider.objects()).toEqual([]);
  });

  it('receives the result of a job, which the job opens by a redirect, and is the source of the next one', async () => {
    await api('PUT', '/api/v1/settings', { defaultStorageProviderId: id });
    const job = await run({ output: { format: 'mp4', key: '{date}/{jobId}.{extension}' } });
    expect(job).toMatchObject({ state: 'completed' });
    const key = `videos/${job.createdAt.slice(0, 10)}/${job.jobId}.mp4`;
    expect(job.output_files?.output).toMatchObject({ storage_provider_id: id, storage_key: key });
    expect(await provider.objects()).toEqual([key]);
    expect(await provider.unfinishedUploads()).toEqual([]);
    const response = await fetch(job.output?.signedUrl ?? '');
    expect([response.status, response.redirected, new URL(response.url).origin]).toEqual([
      200,
      true,
      provider.endpoint,
    ]);
    const bytes = (await response.arrayBuffer()).byteLength;
    expect(bytes).toBe((job.output_files?.output?.size_mbytes ?? 0) * 1e6);
    const altered = job.output?.signedUrl.replace('x-file=output.mp4', 'x-file=other.mp4') ?? '';
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
    expect([playlist.status, playlist.headers.get('content-type')]).toEqual([
      200,
      'application/vnd.apple.mpegurl',
    ]);
    expect(await openAll(urlsIn(await playlist.text()))).toEqual(['#EXTM3U', 'media']);
    await api('PUT', '/api/v1/settings', { defaultStorageProviderId: null });
  });

  it('receives the files of a pipeline, whose webhook names them', async () => {
    const { body } = await api('POST', '/api/v1/jobs', {
      mode: 'pipeline',
      input: { url: `${customer.origin}/short.mp4` },
      output: { format: 'jpg', storageProviderId: id },
      steps: [
        { name: 'small', recipe: compress },
        { recipe: { name: 'thumbnails', every: 3600, width: 64 } },
      ],
      webhookUrl: `${customer.origin}/hook`,
    });
    const { jobId, output_files: files = {} } = await waitForJobEnd(api, (body as JobResource).jobId);
    const keys = Object.values(files).map((file) => file.storage_key ?? '');
    expect(keys).toHaveLength(2);
    expect(keys).toContain(`videos/${jobId}/small.mp4`);
    expect(await provider.objects()).toEqual(expect.arrayContaining(keys));
    const [webhook] = await customer.seen(1, '/hook');
    const { data } = JSON.parse(String(webhook?.body)) as { data: JobResource };
    expect(data.output_files?.small).toMatchObject({
      storage_provider_id: id,
      storage_key: `videos/${jobId}/small.mp4`,
    });
  });

  it('is the source of a job in chunks, whose functions read it there, and receives the result', async () => {
    const key = 'videos/sources/long video.mp4';
    const Body = await readFile(await chunkSource('constantRate'));
    await provider.client.send(new PutObjectCommand({ Bucket: provider.bucket, Key: key, Body }));
    const opened: string[] = [];
    provider.failWith(({ method, url = '', headers }) => {
      if (method === 'HEAD' && url.includes('/sources/')) opened.push(String(headers['if-match']));
      return undefined;
    });
    const job = await run({ input: { storageProviderId: id, key }, speed: 'fast' });
    provider.failWith();
    expect(job).toMatchObject({ state: 'completed', chunking: { chunks: 3 } });
    // The first one is the version that all chunk tasks, three of the video and one of the audio, require.
    const [none, version, ...others] = opened;
    expect([none, version]).toEqual(['undefined', expect.stringMatching(/^"\w+"$/)]);
    expect(others).toEqual([version, version, version]);
    expect(await provider.objects()).toContain(`videos/${job.jobId}/output.mp4`);
    expect(await provider.unfinishedUploads()).toEqual([]);
  });

  it('that refuses leaves nothing behind, and gets the encoded files by a retry without another encoding', async () => {
    await api('PUT', `/api/v1/storage-providers/${id}`, settings('not/the+secret'));
    const refused = await run({});
    expect(refused).toMatchObject({
      state: 'failed',
      error: {
        code: 'UPLOAD_ERROR',
        stage: 'uploading',
        message: expect.stringContaining('SignatureDoesNotMatch (403)'),
      },
    });
    await api('PUT', `/api/v1/storage-providers/${id}`, settings());
    const { body } = await api('POST', `/api/v1/jobs/${refused.jobId}/retry`);
    const retried = await waitForJobEnd(api, (body as JobResource).jobId);
    expect(retried).toMatchObject({ state: 'completed', retryOf: refused.jobId });
    expect(await provider.objects()).toContain(`videos/${retried.jobId}/output.mp4`);
    expect(await api('GET', `/api/v1/jobs/${retried.jobId}/log`)).toMatchObject({ body: { attempts: [] } });
  });

  it('keeps the files of a deleted job, unless they are to be deleted too', async () => {
    const job = await run({});
    await removeJob(job);
    expect(await provider.objects()).toContain(`videos/${job.jobId}/output.mp4`);
    const other = await run({});
    await removeJob(other, '?files=true');
    const kept = (await provider.objects()).filter((key) => key.includes(other.jobId));
    expect(kept).toEqual([]);
  });

  it('has its secret nowhere but in its ciphertext: not in logs, records, state machines or files', async () => {
    const { secretAccessKey } = provider.keys;
    const found = running.log.filter((line) => line.includes(secretAccessKey));
    const names = await readdir(running.dataDirectory, { recursive: true, withFileTypes: true });
    for (const entry of names.filter((each) => each.isFile())) {
      const path = join(entry.parentPath, entry.name);
      const text = await readFile(path, 'latin1').catch(() => '');
      if (text.includes(secretAccessKey)) found.push(path);
    }
    expect(found).toEqual([]);
  });
});

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
  let byRoleId: string;
  beforeAll(async () => {
    await aBucket(running.stage.endpoints.s3, bucket);
    await trust({});
    byRoleId = ((await api('POST', '/api/v1/storage-providers', byRole)).body as { id: string }).id;
  }, 60_000);

  /** The role trusts the stage as the API says, and may do more than the service needs. */
  async function trust({ externalId }: { externalId?: string }): Promise<void> {
    const { body } = await api('GET', '/api/v1/storage-providers/external-id');
    const answer = body as { externalId: string; trustPolicy: { Version: string; Statement: unknown } };
    const text = JSON.stringify(answer.trustPolicy).replace(
      answer.externalId,
      externalId ?? answer.externalId,
    );
    const Statement = [{ Effect: 'Allow', Action: 's3:*', Resource: '*' }];
    running.stage.addForeignRole({
      roleArn,
      trustPolicy: JSON.parse(text),
      policy: { Version: '2012-10-17', Statement },
    });
  }

  const destination = () => ({ output: { format: 'mp4', storageProviderId: byRoleId } });

  it('passes its test', async () => {
    expect(await api('POST', `/api/v1/storage-providers/${byRoleId}/test`)).toMatchObject({
      body: { ok: true },
    });
  });

  it('receives results of jobs in one function and in chunks, and is the source of the next one', async () => {
    const job = await run(destination());
    expect(job).toMatchObject({ state: 'completed' });
    const key = job.output_files?.output?.storage_key ?? '';
    expect(key).toBe(`videos/${job.jobId}/output.mp4`);
    const response = await fetch(job.output?.signedUrl ?? '');
    expect([response.status, response.redirected]).toEqual([200, true]);
    await response.body?.cancel();
    const source = 'videos/source.mp4';
    const Body = await readFile(await chunkSource('constantRate'));
    const operator = anS3ClientAt(running.stage.endpoints.s3);
    await operator.send(new PutObjectCommand({ Bucket: bucket, Key: source, Body }));
    operator.destroy();
    const input = { storageProviderId: byRoleId, key: source };
    const chunked = await run({ ...destination(), input, speed: 'fast' });
    expect(chunked).toMatchObject({ state: 'completed', chunking: { chunks: 3 } });
    await removeJob(job);
    expect(await storedKeys(running, key)).toHaveLength(1);
  });

  it('whose role trusts another external id is rejected with the cause', async () => {
    await trust({ externalId: 'local-of-another-owner' });
    const message =
      'the role could not be assumed, AWS answered AccessDenied (403): its trust policy must allow this service with the external id of the provider.';
    expect(await api('POST', `/api/v1/storage-providers/${byRoleId}/test`)).toMatchObject({
      body: { ok: false, message: `Access failed: ${message}` },
    });
    expect(await run(destination())).toMatchObject({
      state: 'failed',
      error: { code: 'UPLOAD_ERROR', message: expect.stringContaining(message) },
    });
  });

  it('is read, listed, and removed once no unfinished job names it', async () => {
    const path = `/api/v1/storage-providers/${byRoleId}`;
    expect(await api('GET', path)).toMatchObject({ status: 200, body: { access: { roleArn } } });
    expect(await api('GET', '/api/v1/storage-providers')).toMatchObject({
      body: { storageProviders: [{ id }, { id: byRoleId }] },
    });
    const { body } = await api('POST', '/api/v1/jobs', {
      mode: 'recipe',
      input: { url: `${customer.origin}/video.mp4` },
      ...destination(),
      recipe: { ...compress, preset: 'slow' },
    });
    const { jobId } = body as JobResource;
    expect(await api('DELETE', path)).toMatchObject({ status: 409 });
    await api('POST', `/api/v1/jobs/${jobId}/cancel`);
    await waitForJobEnd(api, jobId);
    expect((await api('DELETE', path)).status).toBe(204);
    expect((await api('GET', path)).status).toBe(404);
  });
});
