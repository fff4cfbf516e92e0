// @module-tag nightly
// @module-tag requests
import { readFile } from 'node:fs/promises';
import { aWebServer, type WebServer } from '@media-jobs/testing/web-server';
import { recipes } from '@media-jobs/video/recipes';
import { clipWith, generatedFile, specialClip } from '@media-jobs/video/testing';
import { beforeAll, expect, it } from 'vitest';
import type { JobRequest } from '../../core/api/job-request.ts';
import { aRunningStage, type RunningStage } from '../builders/stage/running-stage.ts';
import { submitJob, waitForJobEnd } from '../builders/stage/submitted-jobs.ts';

const cue = '1\n00:00:00,500 --> 00:00:02,000\nHello\n';

let running: RunningStage;
let customer: WebServer;

beforeAll(async () => {
  const [video, dark, still] = await Promise.all([
    fiveSeconds(),
    clipWith({ colour: 'hdr' }),
    specialClip('stillImage'),
  ]);
  const files: Record<string, string> = { video, dark, still };
  customer = await aWebServer(async ({ path }, response) => {
    const name = path.slice(1);
    response.end(name === 'captions' ? cue : await readFile(files[name] ?? ''));
  });
  running = await aRunningStage();
});

/** The input that a recipe is for, where that is not just any video. */
const inputs: Record<string, string> = { image: 'still', 'hdr-to-sdr': 'dark' };

it.each(recipes.map(({ name }) => name))('the published example of %s is accepted, and completes', async (name) => {
  const { exampleRequest } = (await published()).find((recipe) => recipe.name === name) ?? {};
  const video = inputs[name] ?? 'video';
  const request = JSON.parse(JSON.stringify(exampleRequest), (_, value) =>
    typeof value === 'string' && value.startsWith('https://') ? `${customer.origin}/${fileFor(value, video)}` : value,
  ) as JobRequest;
  const { jobId } = await submitJob(running.api, request);
  const job = await waitForJobEnd(running.api, jobId);
  expect([job.state, job.error]).toEqual(['completed', undefined]);
  expect(Object.keys(job.output_files ?? {})).not.toEqual([]);
});

/** The file at a URL of an example: an image or captions by its extension, else the video. */
function fileFor(url: string, video: string): string {
  if (/\.(png|jpe?g|webp)$/.test(url)) return 'still';
  return /\.(srt|vtt|ass)$/.test(url) ? 'captions' : video;
}

async function published() {
  const { body } = await running.api('GET', '/api/v1/recipes');
  return (body as { recipes: { name: string; exampleRequest: unknown }[] }).recipes;
}

/** Video, audio and English captions of 5 s, so that every example finds the time that it names. */
function fiveSeconds(): Promise<string> {
  const args = [
    ...['-f', 'lavfi', '-i', 'testsrc2=size=320x180:rate=25:duration=5'],
    ...['-f', 'lavfi', '-i', 'sine=frequency=440:sample_rate=48000:duration=5'],
    ...['-i', `data:text/plain;base64,${Buffer.from(cue).toString('base64')}`],
    ...'-map 0 -map 1 -map 2 -c:v libx264 -preset ultrafast -pix_fmt yuv420p'.split(' '),
    ...['-c:a', 'aac', '-c:s', 'mov_text', '-metadata:s:s:0', 'language=eng'],
  ];
  return generatedFile('five-seconds.mp4', args);
}
