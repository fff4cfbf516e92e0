import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { JobResource } from '../../core/api/job-resource.ts';
import { aWebServer, type WebServer } from '../builders/http/web-server.ts';
import { clipWith } from '../builders/media/clips.ts';
import { generatedFile } from '../builders/media/generated-file.ts';
import { aChangedAssembly } from '../builders/stage/changed-assembly.ts';
import { aRunningStage, type RunningStage } from '../builders/stage/running-stage.ts';
import { storedKeys } from '../builders/stage/stored-keys.ts';
import { waitForJobEnd } from '../builders/stage/wait-for-job.ts';
import { runningEncoders } from '../builders/system/running-encoders.ts';

// The worker keeps 30 s of its function's time in reserve: a job has 25 s here, far more than a cancel may take.
const workerTimeoutSeconds = 55;
const stallSeconds = 2;
const patience = { timeout: 60_000, interval: 50 };

let running: RunningStage;
let customer: WebServer;
let assemblyDirectory: string;

beforeAll(async () => {
  assemblyDirectory = await aChangedAssembly((lambda) => {
    if (lambda.PackageType === 'Image') lambda.Timeout = workerTimeoutSeconds;
  });
  const files = { '/short.mp4': await clipWith(), '/long.mp4': await aLongClip() };
  customer = await aWebServer(async ({ path }, response) => {
    response.end(await readFile(files[path as keyof typeof files]));
  });
  running = await aRunningStage({
    assemblyDirectory,
    environment: { STALL_TIMEOUT_SECONDS: String(stallSeconds) },
  });
});

afterAll(async () => {
  await running?.stop();
  await customer?.close();
  await rm(assemblyDirectory, { recursive: true, force: true });
});

it('keeps the exact arguments, the version and the log of ffmpeg', async () => {
  const job = await ended(await submit('/short.mp4'));
  const { status, body } = await running.api('GET', `/api/v1/jobs/${job.jobId}/log`);
  expect([job.state, status]).toEqual(['completed', 200]);
  const { attempts } = body as { attempts: { commands: string[][] }[] };
  expect(attempts).toEqual([
    {
      attempt: 1,
      ffmpegVersion: expect.stringMatching(/^ffmpeg version \S+/),
      commands: [expect.arrayContaining(['-crf', '28', 'libx264', '-protocol_whitelist', 'file'])],
      log: expect.stringContaining('libx264'),
    },
  ]);
  expect(job.output_files?.output?.filename).toBe('short.mp4');
  expect(await storedKeys(running, job.jobId)).toEqual([`jobs/${job.jobId}/1/output.mp4`]);
});

it('frees its disk of what a worker left there that was killed', async () => {
  const sandboxes = join(running.dataDirectory, 'sandboxes');
  const [sandbox = ''] = (await readdir(sandboxes)).filter((name) => name.includes('transcode'));
  await mkdir(join(sandboxes, sandbox, 'job-killed'));
  await ended(await submit('/short.mp4'));
  expect(await readdir(join(sandboxes, sandbox))).not.toContain('job-killed');
});

it('ends ffmpeg when its job is cancelled, and leaves no file behind', async () => {
  const jobId = await encoding();
  await running.api('POST', `/api/v1/jobs/${jobId}/cancel`);
  const cancelledAt = Date.now();
  await vi.waitFor(() => expect(encoders()).toEqual([]), patience);
  // A heartbeat is 2 s, and the promise is 5; a loaded machine may need longer than either to look.
  expect(Date.now() - cancelledAt).toBeLessThan(15_000);
  expect(await read(jobId)).toMatchObject({ state: 'cancelled' });
  expect(await storedKeys(running, jobId)).toEqual([]);
});

it('fails a job whose ffmpeg stands still, and says so', async () => {
  const jobId = await encoding();
  for (const id of encoders()) process.kill(id, 'SIGSTOP');
  const job = await ended(jobId);
  expect(job).toMatchObject({
    state: 'failed',
    error: {
      code: 'TRANSCODE_ERROR',
      message: `The encoding was stopped because it made no progress for ${stallSeconds} s`,
      stage: 'transcoding',
      retryable: true,
    },
  });
  expect(job.progress).toBeLessThan(100);
  expect([encoders(), await storedKeys(running, jobId)]).toEqual([[], []]);
});

it('fails a job that needs too long before its function is killed', async () => {
  const job = await ended(await submit('/long.mp4'));
  expect(job).toMatchObject({ state: 'failed', error: { code: 'TIMEOUT', retryable: false } });
  expect(Date.parse(job.completedAt ?? '') - Date.parse(job.startedAt ?? '')).toBeLessThan(
    workerTimeoutSeconds * 1000,
  );
  expect(encoders()).toEqual([]);
});

/** A clip that this machine encodes for far longer than a job has. */
function aLongClip(): Promise<string> {
  const pattern = ['-f', 'lavfi', '-i', 'testsrc2=size=1280x720:rate=50:duration=60'];
  const recipe = [...pattern, '-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p'];
  return generatedFile('long.mp4', recipe);
}

async function submit(path: string): Promise<string> {
  const preset = path === '/long.mp4' ? { preset: 'slower' } : {};
  const { body } = await running.api('POST', '/api/v1/jobs', {
    mode: 'recipe',
    input: { url: customer.origin + path },
    output: { format: 'mp4' },
    recipe: { name: 'compress', crf: 28, ...preset },
  });
  return (body as JobResource).jobId;
}

/** A long job whose ffmpeg has begun to make progress. */
async function encoding(): Promise<string> {
  const jobId = await submit('/long.mp4');
  await vi.waitFor(async () => {
    expect(encoders()).not.toEqual([]);
    expect(await read(jobId)).toMatchObject({ state: 'processing', stage: 'transcoding' });
  }, patience);
  return jobId;
}

function ended(jobId: string): Promise<JobResource> {
  return waitForJobEnd(running.api, jobId);
}

async function read(jobId: string): Promise<JobResource> {
  return (await running.api('GET', `/api/v1/jobs/${jobId}`)).body as JobResource;
}

function encoders(): number[] {
  return runningEncoders(running.dataDirectory);
}
