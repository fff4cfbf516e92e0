// @module-tag jobs
import { readFile } from 'node:fs/promises';
import { aWebServer, type WebServer } from '@media-jobs/testing/web-server';
import { generatedFile } from '@media-jobs/video/testing';
import { beforeAll, expect, it, vi } from 'vitest';
import { patience } from '../builders/stage/patience.ts';
import { aRunningStage, type RunningStage } from '../builders/stage/running-stage.ts';
import { readJob } from '../builders/stage/submitted-jobs.ts';

type BatchBody = Record<'batchId' | 'state' | 'reportUrl', string> &
  Record<'total' | 'submitted' | 'completed' | 'failed' | 'usd', number>;

let running: RunningStage;
let customer: WebServer;
const manifests = new Map<string, string>();
const request = { mode: 'recipe', output: { format: 'jpg' }, recipe: { name: 'thumbnail', width: 64 } };

beforeAll(async () => {
  running = await aRunningStage();
  const clip = await readFile(
    await generatedFile('batch.mp4', [...['-f', 'lavfi', '-i', 'testsrc2=size=320x180:rate=10:duration=1'], '-an']),
  );
  customer = await aWebServer(({ path: asked }, response) => {
    const found = manifests.get(asked) ?? (asked.startsWith('/clip') ? clip : undefined);
    return found === undefined ? response.writeHead(404).end() : response.end(found);
  });
});

const post = (path: string, body?: object) => running.api('POST', `/api/v1/batches${path}`, body);
const get = async (batchId: string) =>
  (await running.api('GET', `/api/v1/batches/${batchId}`)).body as BatchBody & { endedAt?: string };

async function start(lines: readonly (object | string)[], more: object = {}): Promise<string> {
  const path = `/manifest-${manifests.size}.jsonl`;
  manifests.set(path, lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n'));
  const { status, body } = await post('', { manifestUrl: customer.origin + path, request, ...more });
  expect({ status, body }).toMatchObject({ status: 202, body: { batchId: expect.any(String) } });
  return (body as BatchBody).batchId;
}

const ended = (batchId: string) =>
  vi.waitUntil(async () => {
    const batch = await get(batchId);
    return batch.endedAt !== undefined && batch;
  }, patience);

const line = (id: string, more: object = {}) => ({ id, input: { url: `${customer.origin}/clip.mp4` }, ...more });

it('each line becomes one job, and what fails is in the report', async () => {
  const batchId = await start([
    line('a', { metadata: { lecture: '1' } }),
    line('b', { output: { format: 'png' } }),
    line('a', { metadata: { lecture: '1' } }),
    'no JSON',
    '',
    line('c', { input: { url: 'https://10.0.0.1/x' } }),
    line('d', { input: { url: `${customer.origin}/missing.mp4` } }),
    line('b'),
    line('e', { colour: 'red' }),
  ]);
  const batch = await ended(batchId);
  expect(batch).toMatchObject({ state: 'completed', total: 7, submitted: 3, completed: 2, failed: 5 });
  const report = (await (await fetch(batch.reportUrl)).text()).trim().split('\n');
  const failures = report.map((text) => JSON.parse(text) as { id: string; code: string });
  expect(Object.fromEntries(failures.map(({ id, code }) => [id, code]))).toEqual({
    null: 'INVALID_JSON',
    b: 'IDEMPOTENCY_KEY_REUSED',
    c: 'INVALID_URL',
    d: 'INPUT_UNREACHABLE',
    e: 'VALIDATION_ERROR',
  });
  const list = await running.api('GET', '/api/v1/jobs?metadata.lecture=1');
  const { jobs } = list.body as { jobs: { jobId: string }[] };
  expect(jobs).toHaveLength(1);
  expect(await readJob(running.api, jobs[0]?.jobId ?? '')).toMatchObject({ state: 'completed' });
  expect(batch.usd).toBeGreaterThan(0);
  const batches = await running.api('GET', '/api/v1/batches?limit=1');
  expect(batches.body).toMatchObject({ batches: [{ batchId }], nextCursor: null });
});

it('a cap stops before the line that it does not pay for', async () => {
  const lines = Array.from({ length: 5 }, (_, index) => line(`l${index}`));
  expect(await ended(await start(lines, { maxUsd: 0.000001 }))).toMatchObject({
    ...{ state: 'capped', total: 5, submitted: 0, completed: 0, failed: 0, usd: 0, reportUrl: null },
  });
});

it('a cancelled batch submits no more, and its jobs end', async () => {
  const batchId = await start(Array.from({ length: 12 }, (_, index) => line(`x${index}`)));
  await vi.waitUntil(async () => (await get(batchId)).submitted > 0, patience);
  expect(await post(`/${batchId}/cancel`)).toMatchObject({ status: 200 });
  const batch = await ended(batchId);
  expect(batch).toMatchObject({ state: 'cancelled', total: 12, submitted: 12 });
  expect(batch.completed + batch.failed).toBe(12);
  expect(await post(`/${batchId}/cancel`)).toMatchObject({ status: 200, body: { state: 'cancelled' } });
});

it('a batch without its manifest has failed', async () => {
  const upload = await running.api('POST', '/api/v1/uploads', { sizeBytes: 10 });
  const { inputUrl } = upload.body as { inputUrl: string };
  for (const manifestUrl of [`${customer.origin}/none`, inputUrl]) {
    const { body } = await post('', { manifestUrl, request });
    const batch = await ended((body as BatchBody).batchId);
    expect(batch).toMatchObject({ state: 'failed', total: 0, error: { code: 'INPUT_UNREACHABLE' } });
  }
});

it.each([
  [{ manifestUrl: 'https://10.0.0.1/m' }, 'INVALID_URL', 'manifestUrl'],
  [{ manifestUrl: 's3://other/m' }, 'INVALID_URL', 'manifestUrl'],
  [{ request: undefined }, 'VALIDATION_ERROR', 'preset'],
  [{ preset: 'x' }, 'VALIDATION_ERROR', 'preset'],
  [{ request: undefined, preset: 'none' }, 'PRESET_NOT_FOUND', 'preset'],
  [{ request: { ...request, recipe: { name: 'thumbnail', width: -1 } } }, 'VALIDATION_ERROR', 'request.recipe.width'],
  [{ request: { ...request, input: { url: 'https://example.com/x' } } }, 'VALIDATION_ERROR', 'request.input'],
  [{ request: { ...request, webhookUrl: 'https://10.0.0.1' } }, 'INVALID_URL', 'request.webhookUrl'],
])('what is known before the manifest is refused at once: %j', async (more, code, path) => {
  expect(await post('', { manifestUrl: 'https://example.com/m', request, ...more })).toMatchObject({
    status: 400,
    body: { error: { code, details: [{ path }] } },
  });
});
