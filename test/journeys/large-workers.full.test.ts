import { readFile, rm } from 'node:fs/promises';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { JobResource } from '../../core/api/job-resource.ts';
import { aWebServer, type WebServer } from '../builders/http/web-server.ts';
import { generatedFile } from '../builders/media/generated-file.ts';
import { anAssemblyWith } from '../builders/stage/assembly-with-settings.ts';
import { aRunningStage, type RunningStage } from '../builders/stage/running-stage.ts';
import { waitForJobEnd } from '../builders/stage/wait-for-job.ts';
import { runningEncoders } from '../builders/system/running-encoders.ts';

const patience = { timeout: 60_000, interval: 50 };
/** Processors so slow that the job takes too long for a function of the usual size, but not for a large one. */
const environment = { PROCESSOR_SLOWNESS: '40' };

let assemblyDirectory: string;
let running: RunningStage;
let customer: WebServer;

beforeAll(async () => {
  assemblyDirectory = await anAssemblyWith({ largeWorkers: {} });
  const video = await aClip();
  customer = await aWebServer(async (_, response) => void response.end(await readFile(video)));
  running = await aRunningStage({ assemblyDirectory, environment });
}, 300_000);

afterAll(async () => {
  await running?.stop();
  await customer?.close();
  await rm(assemblyDirectory, { recursive: true, force: true });
});

function aClip(): Promise<string> {
  const pattern = ['-f', 'lavfi', '-i', 'testsrc2=size=1280x720:rate=50:duration=26'];
  const encoder = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p'];
  return generatedFile('large-workers.mp4', [...pattern, ...encoder]);
}

/** Submits a job that is not split, because only a short time range of the video is kept. */
async function submit(recipe: object): Promise<string> {
  const { status, body } = await running.api('POST', '/api/v1/jobs', {
    mode: 'recipe',
    input: { url: `${customer.origin}/video.mp4` },
    output: { format: 'mp4' },
    recipe,
  });
  expect({ status, body }).toMatchObject({ status: 201 });
  return (body as JobResource).jobId;
}

const clip = { name: 'clip', start: 1, end: 25 };
const encoders = () => runningEncoders(running.dataDirectory);

it('a job that a function has no time for is completed by the large one, with its log and its price', async () => {
  const job = await waitForJobEnd(running.api, await submit(clip));
  expect(job).toMatchObject({
    state: 'completed',
    attempt: 1,
    chunking: { chunks: 1, reason: expect.stringContaining('A large function encodes it') },
  });
  expect(job.cost?.parts.find(({ name }) => name === 'fargate')?.usd ?? 0).toBe(0);
  const { body } = await running.api('GET', `/api/v1/jobs/${job.jobId}/log`);
  expect(body).toMatchObject({ attempts: [{ attempt: 1, commands: expect.any(Array) }] });
  expect(running.stage.permissions().denied).toEqual([]);
});

it('a cancelled job ends its ffmpeg in the large function', async () => {
  const jobId = await submit(clip);
  await vi.waitFor(async () => {
    const { body } = await running.api('GET', `/api/v1/jobs/${jobId}`);
    expect(body).toMatchObject({ stage: 'transcoding', chunking: { chunks: 1 } });
    expect(encoders()).not.toEqual([]);
  }, patience);
  const { body } = await running.api('POST', `/api/v1/jobs/${jobId}/cancel`);
  expect(body).toMatchObject({ state: 'cancelled' });
  await vi.waitFor(() => expect(encoders()).toEqual([]), patience);
});
