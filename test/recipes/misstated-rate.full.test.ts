// @module-tag nightly
// @module-tag timing
import { anEncoder, encodeOne, frameTimes, generatedFile } from '@media-jobs/video/testing';
import { expect, it } from 'vitest';
import { encodeBothWays } from '../builders/chunking/encode-both-ways.ts';
import { expectSinglePassFile } from '../builders/chunking/expect-single-pass-file.ts';

const seconds = 16;

/** A video whose codec states this many ticks a second, two of which are a frame in H.264 and one in H.265. */
function clip(container: string, codec: 'libx264' | 'libx265', { fps = '30', tickRate = 1200 } = {}) {
  const filter = codec === 'libx264' ? `h264_metadata=tick_rate=${tickRate}` : `hevc_metadata=tick_rate=${tickRate}`;
  return generatedFile(`misstated-rate.${container}`, [
    ...['-f', 'lavfi', '-i', `testsrc2=size=160x90:rate=${fps}:duration=${seconds}`],
    ...['-f', 'lavfi', '-i', `sine=440:duration=${seconds}`, '-c:v', codec, ...'-preset ultrafast -g 50'.split(' ')],
    ...['-bsf:v', filter, '-c:a', container === 'ts' ? 'aac' : 'mp2'],
  ]);
}

it.each([
  ['MPEG-TS', () => clip('ts', 'libx264'), 30],
  ['H.265 in it', () => clip('ts', 'libx265', { tickRate: 600 }), 30],
  ['too low a rate', () => clip('ts', 'libx264', { tickRate: 30 }), 30],
  ['50 frames per second', () => clip('ts', 'libx264', { fps: '50', tickRate: 2000 }), 50],
  ['29.97 frames per second', () => clip('ts', 'libx264', { fps: '30000/1001' }), 30_000 / 1001],
  ['ASF', () => clip('asf', 'libx264'), 30],
] as const)('a video has the rate of its frames, whatever its codec states: %s', async (_, source, fps) => {
  const { streams } = await anEncoder().probe(await source());
  const video = streams.find(({ kind }) => kind === 'video');
  expect(video?.kind === 'video' && video.framesPerSecond).toBeCloseTo(fps, 6);
  const { path, probe } = await encodeOne(await source(), 'mp4', { name: 'compress' });
  const [encoded] = probe.streams;
  expect(await frameTimes(path)).toHaveLength(Math.round(seconds * fps));
  expect(encoded?.kind === 'video' && encoded.framesPerSecond).toBeCloseTo(fps, 3);
  expect(encoded?.durationSeconds).toBeCloseTo(Math.round(seconds * fps) / fps, 2);
});

it('so has one in MPEG-PS, which states the times of some frames only', async () => {
  const source = await clip('mpg', 'libx264');
  const video = (await anEncoder().probe(source)).streams.find(({ kind }) => kind === 'video');
  expect(video).toMatchObject({ framesPerSecond: 30, baseFramesPerSecond: 30 });
  const { path } = await encodeOne(source, 'mp4', { name: 'compress' });
  expect(await frameTimes(path)).toHaveLength(30 * seconds);
});

it.each(['remux', 'mute'] as const)('so has a copy in MP4: %s', async (name) => {
  const { probe } = await encodeOne(await clip('ts', 'libx264'), 'mp4', { name });
  const [video] = probe.streams;
  expect(video).toMatchObject({ durationSeconds: seconds, framesPerSecond: 30 });
});

it.each([{ name: 'compress' }, { name: 'clip', start: 2, end: 14 }] as const)(
  'chunks are as a single pass: %o',
  async (recipe) => expectSinglePassFile(await encodeBothWays(await clip('ts', 'libx264'), 'mp4', recipe)),
);
