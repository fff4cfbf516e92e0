// @module-tag audio
import { clipWith, encodeOne, frameTimes, generatedFile, ssim, unusualClip } from '@media-jobs/video/testing';
import { expect, it } from 'vitest';
import { runPipeline } from '../builders/recipes/run-pipeline.ts';

it.each([
  ['mp4', 1],
  // The container does not support the codec: the video is encoded, close to the source.
  ['webm', 0.9],
] as const)('mute removes the audio and copies the video in %s', async (format, alike) => {
  const source = await clipWith();
  const output = await encodeOne(source, format, { name: 'mute' });
  expect(output.probe.streams.map(({ kind }) => kind)).toEqual(['video']);
  expect(await frameTimes(output.path)).toHaveLength((await frameTimes(source)).length);
  expect(await ssim({ path: output.path }, { path: source })).toBeGreaterThanOrEqual(alike);
});

it.each([
  ['lateVideo', 'mp4'],
  ['lateVideo', 'mkv'],
  ['lateVideoInBroadcast', 'mp4'],
] as const)('mute shows the first frame of a late video stream from the start: %s in %s', async (kind, format) => {
  const output = await encodeOne(await unusualClip(kind), format, { name: 'mute' });
  expect(output.probe.durationSeconds).toBeCloseTo(3, 1);
  const first = { path: await clipWith(), filters: 'trim=end_frame=1' };
  for (const seconds of [0, 0.9]) {
    const shown = `trim=start=${seconds},setpts=PTS-STARTPTS,trim=end_frame=1`;
    expect(await ssim({ path: output.path, filters: shown }, first), `at ${seconds} s`).toBeGreaterThan(0.9);
  }
  const moving = { path: output.path, filters: 'trim=start=0.99,setpts=PTS-STARTPTS' };
  expect(await ssim(moving, { path: await clipWith() })).toBeGreaterThan(0.9);
});

it.each([
  ['mkv', 'mp4', true],
  ['mkv', 'mkv', true],
  ['mov', 'mp4', true],
  ['mp4', 'mkv', false],
  ['ts', 'mp4', false],
  ['flv', 'mp4', false],
] as const)('mute copies the video from %s to %s: %s', async (container, format, isCopied) => {
  const source = await generatedFile(`muted.${container}`, ['-i', await clipWith(), '-c', 'copy']);
  const { copiedStreams } = await encodeOne(source, format, { name: 'mute' });
  expect(copiedStreams !== undefined).toBe(isCopied);
});

it('mute copies the video of a broadcast behind remux', async () => {
  const clip = await clipWith();
  const source = await generatedFile('muted.ts', ['-i', clip, '-c', 'copy']);
  const path = await runPipeline(source, 'mp4', [{ name: 'remux' }, { name: 'mute' }]);
  expect(await ssim({ path }, { path: clip })).toBe(1);
});

it('mute keeps a rotated clip upright', async () => {
  const output = await encodeOne(await clipWith({ shape: 'portrait' }), 'mov', { name: 'mute' });
  expect(output.probe.streams[0]).toMatchObject({ width: 180, height: 320 });
});
