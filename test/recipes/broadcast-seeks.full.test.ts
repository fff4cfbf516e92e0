// @module-tag timing
import { encodeOne, frameTimes, generatedFile, ssim } from '@media-jobs/video/testing';
import { expect, it } from 'vitest';
import { encodeBothWays } from '../builders/chunking/encode-both-ways.ts';
import { expectSinglePassFile } from '../builders/chunking/expect-single-pass-file.ts';

const pattern = ['-f', 'lavfi', '-i', 'testsrc2=size=160x90:rate=5:duration=40'];
const x264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-g', '5', '-pix_fmt', 'yuv420p'];

/** The timestamps count from 1000 s, and the second audio track starts 2 s before the others. */
const broadcast = () =>
  generatedFile('early-track.ts', [
    ...['-itsoffset', '2', ...pattern, '-itsoffset', '2', '-f', 'lavfi', '-i', 'sine=880:duration=40'],
    ...['-f', 'lavfi', '-i', 'sine=440:duration=42', '-map', '0', '-map', '1', '-map', '2'],
    ...[...x264, '-c:a', 'mp2', '-output_ts_offset', '1000'],
  ]);

/** Frame number 165 is on screen 35 s after the start of the file. */
const frames = async (filters: string) => ({
  path: await generatedFile('pattern.mp4', [...pattern, ...x264]),
  filters: `${filters},setpts=PTS-STARTPTS`,
});

it('a clip of a broadcast starts at its time, also if a track that is left out starts before the others', async () => {
  const { path } = await encodeOne(await broadcast(), 'mp4', { name: 'clip', start: 35, end: 37 });
  expect(await frameTimes(path)).toHaveLength(10);
  expect(await ssim({ path }, await frames('trim=start_frame=165:end_frame=175'))).toBeGreaterThan(0.95);
});

it('so does an image', async () => {
  const { path } = await encodeOne(await broadcast(), 'png', { name: 'thumbnail', at: 35 });
  expect(await ssim({ path }, await frames('trim=start_frame=165:end_frame=166'))).toBeGreaterThan(0.95);
});

it('so does an animation', async () => {
  const recipe = { name: 'gif', start: 35, seconds: 1, fps: 5, width: 160 } as const;
  const { path } = await encodeOne(await broadcast(), 'gif', recipe);
  expect(await frameTimes(path)).toHaveLength(5);
  expect(await ssim({ path }, await frames('trim=start_frame=165:end_frame=170'))).toBeGreaterThan(0.9);
});

it('so do chunks of a clip', async () => {
  const recipe = { name: 'clip', start: 33, end: 39 } as const;
  await expectSinglePassFile(await encodeBothWays(await broadcast(), 'mp4', recipe));
});
