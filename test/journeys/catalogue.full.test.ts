// @module-tag jobs
import { readFile } from 'node:fs/promises';
import { aWebServer, type WebServer } from '@media-jobs/testing/web-server';
import { clipWith, generatedFile } from '@media-jobs/video/testing';
import { beforeAll, expect, it } from 'vitest';
import type { JobResource } from '../../core/api/job-resource.ts';
import { aRunningStage, type RunningStage } from '../builders/stage/running-stage.ts';
import { storedKeys } from '../builders/stage/stored-keys.ts';
import { submitJob, uploadFile, waitForJobEnd } from '../builders/stage/submitted-jobs.ts';

const subtitles = '1\n00:00:00,000 --> 00:00:02,000\nGrüße\n';

let running: RunningStage;
let customer: WebServer;

beforeAll(async () => {
  const files: Record<string, string | Buffer> = {
    '/clip.mp4': await readFile(await clipWith()),
    '/logo.png': await readFile(await aLogo()),
    '/german.srt': subtitles,
    '/not.srt': '#EXTM3U\n#EXTINF:2,\n/etc/passwd\n',
  };
  customer = await aWebServer(({ path }, response) => {
    const file = files[path];
    // A name of a public server may lead anywhere; so may its redirects.
    if (file === undefined) response.writeHead(302, { location: 'http://10.0.0.1/logo.png' });
    response.end(file);
  });
  running = await aRunningStage();
});

it('concat joins an upload and a URL', async () => {
  const inputs = [
    { url: await uploadFile(running.api, await clipWith({ shape: 'portrait' })) },
    { url: at('/clip.mp4') },
  ];
  const { job } = await ended({ mode: 'recipe', inputs, recipe: { name: 'concat', height: 180, width: 320 } });
  expect(job).toMatchObject({
    state: 'completed',
    request: { inputs, recipe: { name: 'concat' } },
    output_files: { output: { width: 320, height: 180, duration: expect.closeTo(4, 1) } },
  });
});

it('burn-subtitles uses the fonts of the stage', async () => {
  const recipe = { name: 'burn-subtitles', subtitles: at('/german.srt') };
  const { job } = await ended({ mode: 'recipe', input: { url: at('/clip.mp4') }, recipe });
  expect(job).toMatchObject({ state: 'completed', output_files: { output: { width: 320 } } });
});

it.each([
  ['image', { name: 'watermark', image: '/private.png' }, 'INPUT_FORBIDDEN'],
  ['image', { name: 'watermark', image: '/german.srt' }, 'INPUT_FORBIDDEN'],
  ['subtitles', { name: 'burn-subtitles', subtitles: '/not.srt' }, 'INPUT_NOT_MEDIA'],
] as const)('a job whose %s cannot be used is rejected, and the error names the file', async (named, recipe, code) => {
  const url = at((recipe as Record<string, string>)[named] ?? '');
  const input = { url: at('/clip.mp4') };
  const { job } = await ended({ mode: 'recipe', input, recipe: { ...recipe, [named]: url } });
  expect(job).toMatchObject({
    state: 'rejected',
    error: { code, message: expect.stringMatching(new RegExp(`^${named}: `)), retryable: false },
  });
});

it('a pipeline delivers its named outputs and nothing else', async () => {
  const { job, progress } = await ended({
    mode: 'pipeline',
    input: { url: at('/clip.mp4') },
    output: { format: 'jpg' },
    steps: [
      { recipe: { name: 'clip', start: 0.5, end: 2 } },
      { name: 'marked', recipe: { name: 'watermark', image: at('/logo.png'), opacity: 0.5 } },
      { recipe: { name: 'thumbnails', every: 0.5, width: 160 } },
    ],
  });
  expect(job.state).toBe('completed');
  const names = ['marked', 'thumbnail-001', 'thumbnail-002', 'thumbnail-003'];
  expect(Object.keys(job.outputs ?? {}).sort()).toEqual(names);
  expect(job.output_files?.marked).toMatchObject({ duration: expect.closeTo(1.5, 1), file_format: 'mp4' });
  for (const url of Object.values(job.outputs ?? {})) expect((await fetch(url)).status).toBe(200);
  expect(progress).toEqual(progress.toSorted((a, b) => a - b));
  const files = names.map((name) => (name === 'marked' ? 'marked/output.mp4' : `output/${name}.jpg`));
  expect(await storedKeys(running, job.jobId)).toEqual(files.map((file) => `jobs/${job.jobId}/1/${file}`));
});

function at(path: string): string {
  return customer.origin + path;
}

function aLogo(): Promise<string> {
  const logo = ['-f', 'lavfi', '-i', 'color=red:size=64x32', '-frames:v', '1'];
  return generatedFile('logo.png', logo);
}

/** Submits a job and polls it until it ends; returns every progress that it read. */
async function ended(request: object): Promise<{ job: JobResource; progress: number[] }> {
  const { jobId } = await submitJob(running.api, request);
  const progress: number[] = [];
  const job = await waitForJobEnd(running.api, jobId, (read) => progress.push(read.progress));
  return { job, progress };
}
