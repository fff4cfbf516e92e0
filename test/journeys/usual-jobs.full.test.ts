// @module-tag jobs
// @module-tag nightly
import { readFile } from 'node:fs/promises';
import { aWebServer, type WebServer } from '@media-jobs/testing/web-server';
import { generatedFile, srtOf } from '@media-jobs/video/testing';
import { beforeAll, expect, it } from 'vitest';
import type { JobResource } from '../../core/api/job-resource.ts';
import { aRunningStage, type RunningStage } from '../builders/stage/running-stage.ts';
import { waitForJobEnd } from '../builders/stage/submitted-jobs.ts';
import { usualJobs } from '../docs/usual-jobs.ts';

const source = [
  ...['-f', 'lavfi', '-i', 'testsrc2=size=640x360:rate=25:duration=9'],
  ...['-f', 'lavfi', '-i', 'sine=frequency=440:sample_rate=48000:duration=9'],
  ...['-pix_fmt', 'yuv420p', '-c:v', 'libx264', '-preset', 'ultrafast', '-g', '25', '-c:a', 'aac'],
];
const image = (color: string) => ['-f', 'lavfi', '-i', `color=${color}:size=600x600`, '-frames:v', '1'];

let running: RunningStage;
let customer: WebServer;

beforeAll(async () => {
  const video = generatedFile('usual.mp4', source);
  const files: Readonly<Record<string, Promise<string>>> = {
    '/video.mp4': video,
    '/phone.mov': video.then((path) =>
      generatedFile('usual-phone.mov', ['-display_rotation', '90', '-i', path, '-c', 'copy']),
    ),
    '/logo.png': generatedFile('logo.png', image('red')),
    '/cover.png': generatedFile('cover.png', image('orange')),
  };
  const texts: Readonly<Record<string, string>> = {
    '/en.srt': srtOf('Welcome'),
    '/de.vtt': 'WEBVTT\n\n00:00.500 --> 00:02.000\nWillkommen\n',
  };
  customer = await aWebServer(
    async ({ path }, response) => void response.end(texts[path] ?? (await readFile((await files[path]) ?? ''))),
  );
  running = await aRunningStage();
});

/** The files that a job makes, such as `mp4 h264 640x360`; of a stream its renditions. */
function filesOf({ output_files = {} }: JobResource): string[] {
  const facts = Object.values(output_files).map(({ file_format, codec, width, height }) =>
    [file_format, codec, width && `${width}x${height}`].filter(Boolean).join(' '),
  );
  return [...new Set(facts)].toSorted();
}

it.each([
  ['Phone video for the web', ['mp4 h264 360x640']],
  ['Stream with captions', ['m3u8', 'mp4 h264 640x360', 'mpd', 'vtt']],
  ['Player set', ['jpg mjpeg 640x360', 'm3u8', 'mp4 h264 640x360', 'mpd', 'vtt']],
  ['Podcast, loudness normalized', ['mp3 mp3']],
  ['GIF of seconds 3 to 6', ['gif gif 480x270']],
  ['Logo over the video', ['mp4 h264 640x360']],
  ['Vertical 9:16', ['mp4 h264 1080x1920']],
  ['Clip without encoding', ['mp4 h264 640x360']],
  ['Small meeting recording', ['mp4 h264 640x360']],
  ['ProRes archive', ['mov prores 640x360']],
])('a usual job of docs/api.md is complete: %s', async (title, expected) => {
  const jobs = usualJobs(`https://example.com/${title.startsWith('Phone') ? 'phone.mov' : 'video.mp4'}`);
  const body = JSON.stringify(jobs.get(title)).replaceAll('https://example.com', customer.origin);
  const submitted = await running.api('POST', '/api/v1/jobs', JSON.parse(body));
  expect(submitted.status).toBe(201);
  const job = await waitForJobEnd(running.api, (submitted.body as JobResource).jobId);
  expect(job).toMatchObject({ state: 'completed', warnings: [] });
  expect(filesOf(job)).toEqual(expect.arrayContaining(expected));
});
