import { readFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { JobResource } from '../../core/api/job-resource.ts';
import { chunkSettingsSchema } from '../../core/chunking/settings.ts';
import { chunkSource } from '../builders/chunking/chunk-sources.ts';
import { aWebServer, type WebServer } from '../builders/http/web-server.ts';
import { audioSamples } from '../builders/measure/measure-audio.ts';
import { frameTimes } from '../builders/measure/measure-video.ts';
import { generatedFile } from '../builders/media/generated-file.ts';
import { aTemporaryDirectory } from '../builders/recipes/encode.ts';
import { aRunningStage, type RunningStage } from '../builders/stage/running-stage.ts';
import { storedKeys } from '../builders/stage/stored-keys.ts';
import { waitForJobEnd } from '../builders/stage/wait-for-job.ts';
import { runningEncoders } from '../builders/system/running-encoders.ts';

const patience = { timeout: 90_000, interval: 50 };
const chunks = chunkSettingsSchema.parse({ targetChunkSeconds: 3 });

let running: RunningStage;
let customer: WebServer;

beforeAll(async () => {
  const files = { '/film.mp4': await chunkSource('constantRate'), '/long.mp4': await aLongClip() };
  customer = await aWebServer(async ({ path }, response) => {
    response.end(await readFile(files[path as keyof typeof files]));
  });
  running = await aRunningStage({ environment: { CHUNKING_SETTINGS: JSON.stringify(chunks) } });
});

afterAll(async () => {
  await running?.stop();
  await customer?.close();
});

it('makes of an urgent video in chunks what one pass makes of it, and says why', async () => {
  const [fast, standard] = await Promise.all([
    ended(await submit('/film.mp4', { speed: 'fast' })),
    ended(await submit('/film.mp4', { speed: 'standard' })),
  ]);
  expect(fast).toMatchObject({ state: 'completed', progress: 100, attempt: 1 });
  expect(fast.chunking).toEqual({
    chunks: 3,
    reason: expect.stringMatching(/^Encoded in 3 chunks of .* in parallel: the job asks for speed$/),
  });
  expect(standard.chunking).toMatchObject({ chunks: 1, reason: expect.stringMatching(/soon enough/) });
  const [inChunks, inOnePass] = [await download(fast), await download(standard)];
  expect(await frameTimes(inChunks)).toEqual(await frameTimes(inOnePass));
  expect(await audioSamples(inChunks)).toEqual(await audioSamples(inOnePass));
  expect(fast.output_files?.output).toMatchObject({
    filename: 'film.mp4',
    duration: standard.output_files?.output?.duration,
  });
  expect(fast.inputSizeBytes).toBe(standard.inputSizeBytes);
});

it('leaves nothing but the result, and the upload where it was', async () => {
  const film = await readFile(await chunkSource('constantRate'));
  const begun = await running.api('POST', '/api/v1/uploads', {
    sizeBytes: film.length,
    filename: 'film.mp4',
  });
  const { inputUrl, uploadUrl } = begun.body as { inputUrl: string; uploadUrl: string };
  await fetch(uploadUrl, { method: 'PUT', body: new Uint8Array(film) });
  const job = await ended(await submit(inputUrl, { speed: 'fast' }));
  expect(job).toMatchObject({ state: 'completed', chunking: { chunks: 3 } });
  await vi.waitFor(async () => expect(await storedKeys(running, `work/${job.jobId}`)).toEqual([]), patience);
  expect(await storedKeys(running, `jobs/${job.jobId}`)).toHaveLength(1);
  expect(await storedKeys(running, 'uploads')).toHaveLength(1);
});

it('keeps what ffmpeg was asked for every part, and for the join', async () => {
  const job = await ended(await submit('/film.mp4', { speed: 'fast' }));
  const { body } = await running.api('GET', `/api/v1/jobs/${job.jobId}/log`);
  const { attempts } = body as { attempts: { commands: string[][] }[] };
  // Three chunks, the sound, and the join.
  expect(attempts.map(({ commands }) => commands.length)).toEqual([5]);
  expect(JSON.stringify(body)).not.toMatch(/X-Amz|AWSAccessKeyId|media-jobs-media/i);
});

it('adds its progress up over the parts, never falling', async () => {
  const seen: number[] = [];
  const jobId = await submit('/film.mp4', { speed: 'fast', preset: 'slower' });
  await ended(jobId, ({ progress }) => seen.push(progress));
  expect(seen).toEqual(seen.toSorted((a, b) => a - b));
  expect(seen.filter((progress) => progress > 10 && progress < 95).length).toBeGreaterThan(1);
});

it('ends every part of a job that is cancelled, and removes what they left', async () => {
  const jobId = await encoding();
  await running.api('POST', `/api/v1/jobs/${jobId}/cancel`);
  const cancelledAt = Date.now();
  await vi.waitFor(() => expect(encoders()).toEqual([]), patience);
  // A look is due every 2 s, and the promise is 5; a loaded machine may need longer than either.
  expect(Date.now() - cancelledAt).toBeLessThan(15_000);
  expect(await read(jobId)).toMatchObject({ state: 'cancelled', chunking: { chunks: 3 } });
  await vi.waitFor(async () => expect(await storedKeys(running, jobId)).toEqual([]), patience);
});

it.each([
  ['ffmpeg', (encoder: number) => encoder],
  ['function', parentOf],
])('encodes a part again whose %s was killed', async (_, victimOf) => {
  const jobId = await encoding('slow');
  const [encoder] = encoders();
  if (encoder === undefined) throw new Error('No part is being encoded');
  process.kill(victimOf(encoder), 'SIGKILL');
  const job = await ended(jobId);
  expect(job).toMatchObject({ state: 'completed', attempt: 1, chunking: { chunks: 3 } });
});

/** A clip whose chunks this machine encodes for some seconds each, or with `slower` for far longer than a test has. */
function aLongClip(): Promise<string> {
  const pattern = ['-f', 'lavfi', '-i', 'testsrc2=size=640x360:rate=50:duration=12'];
  const recipe = [...pattern, '-c:v', 'libx264', '-preset', 'ultrafast', '-g', '50', '-pix_fmt', 'yuv420p'];
  return generatedFile('long-chunks.mp4', recipe);
}

type Wish = { speed: 'fast' | 'standard'; preset?: string };

async function submit(input: string, { speed, preset = 'veryfast' }: Wish): Promise<string> {
  const { body } = await running.api('POST', '/api/v1/jobs', {
    mode: 'recipe',
    input: { url: input.startsWith('/') ? customer.origin + input : input },
    output: { format: 'mp4' },
    recipe: { name: 'compress', crf: 28, preset },
    speed,
  });
  return (body as JobResource).jobId;
}

/** A job in parts, one of which at least is being encoded. */
async function encoding(preset = 'slower'): Promise<string> {
  const jobId = await submit('/long.mp4', { speed: 'fast', preset });
  await vi.waitFor(async () => {
    expect(await read(jobId)).toMatchObject({ state: 'processing', chunking: { chunks: 3 } });
    expect(encoders()).not.toEqual([]);
  }, patience);
  return jobId;
}

function ended(jobId: string, onRead?: (job: JobResource) => void): Promise<JobResource> {
  return waitForJobEnd(running.api, jobId, onRead);
}

async function read(jobId: string): Promise<JobResource> {
  return (await running.api('GET', `/api/v1/jobs/${jobId}`)).body as JobResource;
}

async function download(job: JobResource): Promise<string> {
  const path = join(await aTemporaryDirectory(), `${job.jobId}.mp4`);
  const answer = await fetch(job.output?.signedUrl ?? '');
  await writeFile(path, Buffer.from(await answer.arrayBuffer()));
  return path;
}

function encoders(): number[] {
  return runningEncoders(running.dataDirectory);
}

/** The process that started another. Linux only. */
function parentOf(id: number): number {
  const [, parent = ''] = /^PPid:\s+(\d+)$/m.exec(readFileSync(`/proc/${id}/status`, 'utf8')) ?? [];
  return Number(parent);
}
