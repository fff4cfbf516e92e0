// @module-tag jobs
// @module-tag requests
import { createDecipheriv, randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { s3Credentials } from '@media-jobs/local-stage/emulators';
import { aClosedPort } from '@media-jobs/testing/a-closed-port';
import { aTemporaryFolder } from '@media-jobs/testing/temporary-folder';
import { readMediaPlaylist } from '@media-jobs/video/testing';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { deliveryJournal } from '../../adapters/dynamodb/delivery-journal.ts';
import type { JobResource } from '../../core/api/job-resource.ts';
import { withStageTable } from '../../lib/local/stage-table.ts';
import { localOwnerId } from '../../lib/settings/local-owner.ts';
import { aCompletedJob } from '../builders/jobs/ended-jobs.ts';
import { aJobId, aQueuedJob } from '../builders/jobs/jobs.ts';
import { aParallelJob } from '../builders/jobs/parallel-jobs.ts';
import { patience } from '../builders/stage/patience.ts';
import { stageOwnerLimits } from '../builders/stage/stage-owner-limits.ts';
import { storeJobs } from '../builders/stage/stored-jobs.ts';
import { storedKeys } from '../builders/stage/stored-keys.ts';
import { submitJob, uploadFile } from '../builders/stage/submitted-jobs.ts';
import { aParallelStage, type ParallelStage } from './parallel-stage.ts';

// Calls that other journeys make rarely or never. `npm run permissions` needs each statement used once, and runs them.
let stage: ParallelStage;

beforeAll(async () => {
  stage = await aParallelStage({
    environment: {
      ...stageOwnerLimits('multi', { maxRunningJobs: 1, maxRunningChunks: 4 }),
      // A stopped ffmpeg is late before it counts as stalled, however long its siblings take.
      STALL_TIMEOUT_SECONDS: '600',
    },
  });
});

const operator = { region: 'us-east-1', credentials: s3Credentials };

async function putObject(Key: string): Promise<void> {
  const { endpoints, resources } = stage.running.stage;
  const client = new S3Client({ ...operator, endpoint: endpoints.s3, forcePathStyle: true });
  await client.send(new PutObjectCommand({ Bucket: resources.buckets[0], Key, Body: 'text' }));
  client.destroy();
}

describe('an owner with as many running jobs as the limit', () => {
  /** Submits a job and waits until its message was received and left it waiting. */
  async function aWaitingJob(): Promise<string> {
    const jobId = await stage.submit('/video.mp4', { speed: 'standard' });
    const leftWaiting = (line: string) => line.includes(jobId) && line.includes('"result":"ignored"');
    await vi.waitFor(() => expect(stage.running.log.some(leftWaiting)).toBe(true), patience);
    expect(await stage.read(jobId)).toMatchObject({ state: 'queued', attempt: 0 });
    return jobId;
  }

  it('runs a waiting job once the running one is cancelled', async () => {
    const running = await stage.encoding();
    const waiting = await aWaitingJob();
    expect((await stage.running.api('POST', `/api/v1/jobs/${running}/cancel`)).status).toBe(200);
    expect(await stage.ended(waiting)).toMatchObject({ state: 'completed', attempt: 1 });
  });

  it('runs a waiting job once the chunks of the running one are joined', async () => {
    const running = await stage.encoding('slow');
    const waiting = await aWaitingJob();
    expect(await stage.ended(running)).toMatchObject({ state: 'completed', chunking: { chunks: 3 } });
    expect(await stage.ended(waiting)).toMatchObject({ state: 'completed', attempt: 1 });
  });

  it('runs nothing else once its only job is cancelled or joined', async () => {
    expect(await stage.ended(await stage.submit('/video.mp4', { speed: 'fast' }))).toMatchObject({
      state: 'completed',
      chunking: { chunks: 3 },
    });
    const jobId = await stage.encoding();
    expect((await stage.running.api('POST', `/api/v1/jobs/${jobId}/cancel`)).status).toBe(200);
  });
});

it('a chunk whose function is slow is encoded by another one', async () => {
  // The job that was cancelled above has some for a moment.
  await vi.waitFor(() => expect(stage.encoders()).toEqual([]), patience);
  const jobId = await stage.encoding('medium');
  const [slow] = stage.encoders();
  if (slow === undefined) throw new Error('ffmpeg encodes no chunk');
  process.kill(slow, 'SIGSTOP');
  const job = await stage.ended(jobId);
  expect(job).toMatchObject({ state: 'completed', attempt: 1, chunking: { chunks: 3 } });
  // The first run ends after the job if ffmpeg has to be killed.
  const hasRunTwice = (line: string) => line.includes('was late and has run twice');
  await vi.waitFor(() => expect(stage.running.log.filter(hasRunTwice)).toHaveLength(1), patience);
});

it('a chunked job of an upload is compared with its source by the join', async () => {
  const jobId = await stage.submit(await stage.upload(), { speed: 'fast', targetVmaf: 60 });
  expect(await stage.ended(jobId)).toMatchObject({
    state: 'completed',
    chunking: { chunks: 3 },
    measurements: { vmaf: expect.any(Number), vmafP5: expect.any(Number) },
  });
});

it('a chunked stream is encrypted by the join, with a key that no answer has', async () => {
  const key = randomBytes(16);
  const hex = key.toString('hex');
  const { api } = stage.running;
  const created = await submitJob(api, {
    input: { url: await stage.upload() },
    output: { format: 'm3u8' },
    recipe: {
      name: 'hls',
      preset: 'ultrafast',
      encryption: { scheme: 'aes-128', key: hex, keyUri: 'https://keys.example/film' },
    },
    speed: 'fast',
  });
  const { jobId } = created;
  const job = await stage.ended(jobId);
  expect(job).toMatchObject({ state: 'completed', chunking: { chunks: 3 } });
  const master = job.outputs?.hls ?? '';
  const url = new URL('media_0.m3u8', master).href + new URL(master).search;
  const text = await (await fetch(url)).text();
  expect(text).toContain('#EXT-X-KEY:METHOD=AES-128,URI="https://keys.example/film"\n');
  const [segment] = readMediaPlaylist(text).segments;
  const { file = '', offset = 0, length = 0 } = segment ?? {};
  const headers = { range: `bytes=${offset}-${offset + length - 1}` };
  const bytes = Buffer.from(await (await fetch(new URL(file, url), { headers })).arrayBuffer());
  const decipher = createDecipheriv('aes-128-cbc', key, Buffer.alloc(16));
  const clear = Buffer.concat([decipher.update(bytes), decipher.final()]);
  expect([bytes, clear].map((each) => each.toString('latin1', 4, 8) === 'moof')).toEqual([false, true]);
  const log = await api('GET', `/api/v1/jobs/${jobId}/log`);
  expect(JSON.stringify([created, job, log])).not.toContain(hex);
});

it('a batch by a preset of its owner, and one with a content key, end the execution of their job once cancelled', async () => {
  const { api } = stage.running;
  const stream = { name: 'hls', preset: 'slower' };
  const request = { mode: 'recipe', output: { format: 'm3u8' }, recipe: stream, speed: 'fast' };
  const encryption = { scheme: 'aes-128', key: randomBytes(16).toString('hex'), keyUri: 'https://keys.example/film' };
  expect((await api('POST', '/api/v1/presets', { name: 'film', request })).status).toBe(201);
  const manifest = join(await aTemporaryFolder(), 'films.jsonl');
  await writeFile(manifest, JSON.stringify({ id: 'film', input: { url: stage.longUrl } }));
  const manifestUrl = await uploadFile(api, manifest);
  for (const job of [{ preset: 'film' }, { request: { ...request, recipe: { ...stream, encryption } } }]) {
    await vi.waitFor(() => expect(stage.encoders()).toEqual([]), patience);
    const { status, body } = await api('POST', '/api/v1/batches', { manifestUrl, ...job });
    expect(status, JSON.stringify(body)).toBe(202);
    const route = `/api/v1/batches/${(body as { batchId: string }).batchId}`;
    await vi.waitFor(() => expect(stage.encoders()).not.toEqual([]), patience);
    expect((await api('POST', `${route}/cancel`)).status).toBe(200);
    const ended = { state: 'cancelled', submitted: 1, failed: 1, endedAt: expect.any(String) };
    await vi.waitFor(async () => expect((await api('GET', route)).body).toMatchObject(ended), patience);
  }
});

describe('the API', () => {
  it('answers an unknown path, a method that a path lacks, its own description and POST of settings', async () => {
    const { api } = stage.running;
    expect((await api('GET', '/api/v1/nothing')).status).toBe(404);
    expect((await api('GET', '/api/v1/jobs/estimate')).status).toBe(405);
    expect((await api('GET', '/api/v1/openapi.json')).status).toBe(200);
    const settings = await api('POST', '/api/v1/settings', { defaultWebhookUrl: 'https://example.com/hook' });
    expect(settings).toMatchObject({ status: 200, body: { defaultWebhookUrl: 'https://example.com/hook' } });
    expect((await api('PUT', '/api/v1/settings', { defaultWebhookUrl: null })).status).toBe(200);
  });

  it('estimates a job by what a probe job measured', async () => {
    const { api } = stage.running;
    const input = { url: await stage.upload() };
    const { jobId } = await submitJob(api, { input, recipe: { name: 'probe' }, output: { format: 'json' } });
    await stage.ended(jobId);
    const job = { mode: 'recipe', input, recipe: { name: 'compress' }, output: { format: 'mp4' } };
    const { status, body } = await api('POST', '/api/v1/jobs/estimate', { ...job, probeJobId: jobId });
    expect([status, body]).toEqual([200, expect.objectContaining({ chunks: 1 })]);
    const { usd } = body as { usd: { p50: number; p90: number } };
    expect(usd.p50).toBeGreaterThan(0);
    expect(usd.p50).toBeLessThan(0.01);
  });

  it('answers a repeated POST of a key with its id and another secret', async () => {
    const { baseUrl } = stage.running.stage;
    const headers = {
      'x-api-key': stage.running.apiKey,
      'content-type': 'application/json',
      'idempotency-key': 'the-key-of-a-script',
    };
    const create = async () => {
      const body = JSON.stringify({ name: 'script' });
      const response = await fetch(`${baseUrl}/api/v1/keys`, { method: 'POST', headers, body });
      return { status: response.status, ...((await response.json()) as { keyId: string; key: string }) };
    };
    const [first, second] = [await create(), await create()];
    expect([first.status, second.keyId]).toEqual([201, first.keyId]);
    expect(second.key).not.toBe(first.key);
  });

  it('lists jobs with URLs that can be downloaded', async () => {
    const done = await stage.ended(await stage.submit('/video.mp4', { speed: 'standard' }));
    const { body } = await stage.running.api('GET', '/api/v1/jobs?expand=files');
    const listed = (body as { jobs: JobResource[] }).jobs.find(({ jobId }) => jobId === done.jobId);
    const response = await fetch(listed?.output?.signedUrl ?? '');
    expect(response.status).toBe(200);
    await response.body?.cancel();
  });
});

describe('reconcile, at its schedule', () => {
  it('requeues a delegated job whose execution does not exist', async () => {
    const job = aParallelJob({ ownerId: localOwnerId });
    await storeJobs(stage.running.stage, [job]);
    await stage.running.stage.fireSchedules();
    expect(await stage.read(job.jobId)).not.toMatchObject({ state: 'processing', attempt: 1 });
    await stage.running.api('POST', `/api/v1/jobs/${job.jobId}/cancel`);
  });

  it('starts the attempts of a delivery whose execution was not started', async () => {
    const webhookTarget = `http://127.0.0.1:${await aClosedPort()}/hook`;
    const job = aCompletedJob({ ownerId: localOwnerId, jobId: aJobId(), webhookTarget });
    const { ownerId, jobId, pendingDelivery } = job;
    const deliveryId = pendingDelivery?.id ?? '';
    const endedAt = job.updatedAt;
    const outcome = { delivered: false, endedAt, latencyMs: 1, errorClass: 'CONNECTION', error: 'Refused' } as const;
    await storeJobs(stage.running.stage, [job]);
    await withStageTable(stage.running.stage, async (client, tableName) => {
      const attempt = { ownerId, jobId, deliveryId, attempt: 1, writerId: 'lost', startedAt: endedAt };
      const expiresAt = Math.floor(Date.now() / 1000) + 86_400;
      await deliveryJournal(client, tableName).open({ ...attempt, url: webhookTarget, outcome, expiresAt });
    });
    await stage.running.stage.fireSchedules();
    await vi.waitFor(async () => {
      const { body } = await stage.running.api('GET', `/api/v1/jobs/${jobId}/deliveries`);
      expect((body as { deliveries: unknown[] }).deliveries).toHaveLength(3);
    }, patience);
  });

  it('removes the files of a deleted job', async () => {
    const { jobId } = await stage.ended(await stage.submit('/video.mp4', { speed: 'standard' }));
    await putObject(`work/${jobId}/left-over`);
    expect((await stage.running.api('DELETE', `/api/v1/jobs/${jobId}`)).status).toBe(204);
    await vi.waitFor(async () => {
      await stage.running.stage.fireSchedules();
      expect(await storedKeys(stage.running, jobId)).toEqual([]);
    }, patience);
  });
});

it('join-chunks requeues a job whose plan is gone', async () => {
  const job = aParallelJob({ ownerId: localOwnerId, leaseId: 'lease-of-a-lost-plan' });
  await storeJobs(stage.running.stage, [job]);
  const { jobId } = job;
  await stage.startWithoutPlan(job);
  await vi.waitFor(async () => {
    expect(await stage.read(jobId)).not.toMatchObject({ state: 'processing', attempt: 1 });
  }, patience);
  await stage.running.api('POST', `/api/v1/jobs/${jobId}/cancel`);
});

it('transcode describes an execution that already has its name', async () => {
  const { resetCalls, calls } = stage.running.stage;
  resetCalls();
  const jobId = await stage.submit('/video.mp4', { speed: 'fast' });
  await stage.occupyExecutionName(jobId);
  await vi.waitFor(() => expect(calls().sfn.DescribeExecution).toBeGreaterThan(0), patience);
  await stage.running.api('POST', `/api/v1/jobs/${jobId}/cancel`);
});

it('a message that wakes a worker for an older job is sent again', async () => {
  const [older, newer] = [1, 2].map((number) => aQueuedJob({ ownerId: 'waits', jobId: aJobId(number) }));
  if (older === undefined || newer === undefined) throw new Error('There are two jobs');
  await storeJobs(stage.running.stage, [older, newer]);
  const message = { ownerId: newer.ownerId, jobId: newer.jobId };
  const claimed = await stage.running.stage.invoke('media-jobs-local-open-job', { message });
  expect(claimed).toMatchObject({ ok: true, payload: expect.stringContaining('accessKeyId') });
  const opened = (line: string) => line.includes(newer.jobId) && line.includes('Job received');
  await vi.waitFor(() => expect(stage.running.log.some(opened)).toBe(true), patience);
});
