// @module-tag nightly
// @module-tag requests
import { readFile } from 'node:fs/promises';
import { runningEncoders } from '@media-jobs/testing/running-encoders';
import { aWebServer, type WebServer } from '@media-jobs/testing/web-server';
import { chunkSettingsSchema } from '@media-jobs/video/chunking';
import { clipWith, generatedFile } from '@media-jobs/video/testing';
import { beforeAll, expect, it, vi } from 'vitest';
import { anApiKeyOf } from '../builders/stage/an-api-key.ts';
import { type Api, aRunningStage, type RunningStage } from '../builders/stage/running-stage.ts';
import { readJob, submitJob } from '../builders/stage/submitted-jobs.ts';

/** The quota of a new AWS account. */
const accountConcurrency = 10;
const patience = { timeout: 1_200_000, interval: 500 };

let running: RunningStage;
let customer: WebServer;

beforeAll(async () => {
  const files = { '/long.mp4': await aVideoOfTwoMinutes(), '/short.mp4': await clipWith() };
  customer = await aWebServer(async ({ path }, response) => {
    const file = files[path as keyof typeof files];
    response.end(file === undefined ? '' : await readFile(file));
  });
  const chunks = chunkSettingsSchema.parse({ targetChunkSeconds: 10 });
  running = await aRunningStage({ accountConcurrency, environment: { CHUNKING_SETTINGS: JSON.stringify(chunks) } });
});

it('three fast jobs of two minutes leave API, webhooks and the jobs of another owner their executions', async () => {
  const another = running.apiAs(await anApiKeyOf(running.stage, 'another-owner'));
  const long: string[] = [];
  for (let count = 0; count < 3; count += 1) {
    long.push(await submit(running.api, { path: '/long.mp4', speed: 'fast', preset: 'slower' }));
  }
  await vi.waitFor(async () => {
    const jobs = await Promise.all(long.map((id) => readJob(running.api, id)));
    expect(jobs.map(({ chunking }) => (chunking?.chunks ?? 0) > 5)).toEqual([true, true, true]);
    expect(encoders()).toBeGreaterThan(0);
  }, patience);
  const short = await submit(another, { path: '/short.mp4', speed: 'standard', preset: 'veryfast' });
  const seen: number[] = [];
  await vi.waitFor(async () => {
    expect((await running.api('GET', '/api/v1/jobs')).status).toBe(200);
    seen.push(encoders());
    expect(await readJob(another, short)).toMatchObject({ state: 'completed' });
  }, patience);
  const [webhook] = await customer.seen(1, '/hook');
  expect(JSON.parse(webhook?.body ?? '')).toMatchObject({ data: { jobId: short } });
  // The owner's limit of two chunks, and the short job.
  expect(Math.max(...seen)).toBeLessThanOrEqual(3);
  const states = await Promise.all(long.map(async (id) => (await readJob(running.api, id)).state));
  expect(states).toEqual(['processing', 'processing', 'processing']);
  expect(running.log.filter((line) => /Rate Exceeded/.test(line))).toEqual([]);
  for (const id of long) await running.api('POST', `/api/v1/jobs/${id}/cancel`);
});

const encoders = () => runningEncoders(running.dataDirectory).length;

type Submitted = { path: string; speed: 'fast' | 'standard'; preset: string };

async function submit(api: Api, { path, speed, preset }: Submitted): Promise<string> {
  const { jobId } = await submitJob(api, {
    input: { url: customer.origin + path },
    recipe: { name: 'compress', crf: 28, preset },
    speed,
    webhookUrl: `${customer.origin}/hook`,
  });
  return jobId;
}

function aVideoOfTwoMinutes(): Promise<string> {
  const pattern = ['-f', 'lavfi', '-i', 'testsrc2=size=640x360:rate=25:duration=120'];
  const recipe = [...pattern, '-c:v', 'libx264', '-preset', 'ultrafast', '-g', '50', '-pix_fmt', 'yuv420p'];
  return generatedFile('two-minutes.mp4', recipe);
}
