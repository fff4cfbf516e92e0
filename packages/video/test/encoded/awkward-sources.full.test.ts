// @module-tag sources
// @module-tag timing
// @module-tag audio

import { describe, expect, it } from 'vitest';
import type * as z from 'zod';
import type { VideoCodec } from '../../src/media/codecs/video-codecs.ts';
import type { Format } from '../../src/media/formats.ts';
import type { recipeRequestSchema } from '../../src/recipes/registry.ts';
import { beeps, maxDifference } from '../builders/measure/flashes-and-beeps.ts';
import { decodeFrameAt } from '../builders/measure/frame-at.ts';
import { audioSeconds, meanBrightness, ssim } from '../builders/measure/measure-video.ts';
import { bareFfmpeg } from '../builders/media/bare-ffmpeg.ts';
import { clipWith } from '../builders/media/clips.ts';
import { croppedClip } from '../builders/media/cropped-clip.ts';
import { aRotatedPhoto, unusualClip } from '../builders/media/unusual-clips.ts';
import { encode, encodeOne } from '../builders/recipes/encode.ts';

describe('audio that starts late in a Matroska file', () => {
  it.each([
    ['mp4', 3.5],
    ['mkv', 3.5],
  ] as const)('starts late in the %s too', async (format, seconds) => {
    const output = await encodeOne(await unusualClip('lateAudio'), format, { name: 'compress' });
    expect(output.probe.durationSeconds).toBeCloseTo(seconds, 1);
    const [, audio] = output.probe.streams;
    expect(audio?.startSeconds).toBeCloseTo(1.5, 1);
    expect(audio?.durationSeconds).toBeCloseTo(2, 0);
  });

  it('keeps its duration in a file of its own', async () => {
    const output = await encodeOne(await unusualClip('lateAudio'), 'mp3', { name: 'extract-audio' });
    expect(output.probe.durationSeconds).toBeCloseTo(2, 0);
  });
});

it.each(['image', 'thumbnail'] as const)("%s shows a phone's photo upright, in its own shape", async (name) => {
  const output = await encodeOne(await aRotatedPhoto(), 'png', { name });
  expect(output.probe.streams).toMatchObject([{ width: 180, height: 320 }]);
  const upright = { path: await clipWith(), filters: 'trim=end_frame=1,transpose=clock,format=gbrp' };
  expect(await ssim({ path: output.path, filters: 'format=gbrp' }, upright)).toBeGreaterThan(0.8);
});

describe('audio with a gap', () => {
  it.each<[Format, z.input<typeof recipeRequestSchema>, number, number]>([
    ['mp3', { name: 'extract-audio' }, 0.6, 1.4],
    ['wav', { name: 'extract-audio' }, 0.6, 1.4],
    ['mp4', { name: 'compress' }, 0.6, 1.4],
    ['mkv', { name: 'normalize-audio' }, 0.6, 1.4],
    ['mp4', { name: 'speed', factor: 0.5 }, 1.2, 2.8],
  ])('is silent in the gap in the %s of %o, and then in sync', async (format, recipe, from, to) => {
    const { path } = await encodeOne(await unusualClip('gapInAudio'), format, recipe);
    const [[start = 0, end = 0] = []] = await silences(path);
    expect(Math.abs(start - from)).toBeLessThan(0.1);
    expect(Math.abs(end - to)).toBeLessThan(0.1);
  });

  it.each<[Format, z.input<typeof recipeRequestSchema>, number]>([
    ['wav', { name: 'extract-audio' }, 1.5],
    ['mp4', { name: 'compress' }, 1.5],
    ['mov', { name: 'transcode', codec: 'prores', profile: 'proxy' }, 1.5],
    ['mp4', { name: 'speed', factor: 0.5 }, 3],
  ])('of a few lost packets is in sync behind it, in the %s of %o', async (format, recipe, at) => {
    const { path } = await encodeOne(await unusualClip('lostAudioPackets'), format, recipe);
    expect(maxDifference(await beeps(path), [at])).toBeLessThan(0.05);
  });
});

it.each([
  [2, 0.75],
  [0.5, 3],
])('late audio at speed %d starts that much sooner', async (factor, begins) => {
  const { path } = await encodeOne(await unusualClip('lateAudio'), 'mp4', { name: 'speed', factor });
  const [[, end = 0] = []] = await silences(path);
  expect(Math.abs(end - begins)).toBeLessThan(0.1);
});

it.each<[Format, VideoCodec]>([
  ['mp4', 'h264'],
  ['mov', 'h265'],
  ['webm', 'vp9'],
  ['mp4', 'av1'],
  ['webm', 'av1'],
])('the last frame of a GIF lasts as long in %s with %s', async (format, codec) => {
  const output = await encodeOne(await unusualClip('heldGif'), format, { name: 'transcode', codec });
  expect(output.probe.durationSeconds).toBeCloseTo(4, 1);
});

it.each<VideoCodec>(['h265', 'av1'])('the last frame of a GIF lasts as long in renditions with %s', async (codec) => {
  const request = { name: 'renditions' as const, heights: [144], codec };
  const output = await encodeOne(await unusualClip('heldGif'), 'mp4', request);
  expect(output.probe.durationSeconds).toBeCloseTo(4, 1);
});

it.each<Format>(['mp4', 'mov', 'mkv'])('frames that an edit list hides stay hidden in %s', async (format) => {
  const source = await unusualClip('cutBeforeKeyframe');
  const output = await encodeOne(source, format, { name: 'mute' });
  expect(output.probe.durationSeconds).toBeCloseTo(0.8, 1);
  const shown = { path: await clipWith(), filters: 'trim=start=1.2,setpts=PTS-STARTPTS' };
  expect(await ssim({ path: output.path }, shown)).toBeGreaterThan(0.9);
});

describe('frames that last long', () => {
  it.each([
    [12, 0],
    [28, 255],
    [39, 255],
  ])('are in the thumbnail at %d s', async (at, light) => {
    const output = await encodeOne(await unusualClip('slides'), 'png', { name: 'thumbnail', at });
    expect(Math.abs((await meanBrightness(output.path)) - light)).toBeLessThan(20);
  });

  it('are in each of the thumbnails while they last', async () => {
    const outputs = await encode(await unusualClip('slides'), 'jpg', {
      name: 'thumbnails',
      every: 8,
      accuracy: 'frame',
    });
    const lights = await Promise.all(outputs.map(({ path }) => meanBrightness(path)));
    expect(lights.map((light) => light > 128)).toEqual([false, false, false, true, true]);
  });
});

describe('a video stream that starts after the audio', () => {
  it.each([
    [0, 3],
    [0.5, 2],
  ])('keeps all audio in a clip from %d s to %d s', async (start, end) => {
    const source = await unusualClip('lateVideo');
    const { path } = await encodeOne(source, 'mp4', { name: 'clip', start, end });
    expect(Math.abs((await audioSeconds(path)) - (Math.min(end, 2) - start))).toBeLessThan(0.1);
  });

  it('is missing in a clip that ends before it', async () => {
    const clip = encodeOne(await unusualClip('lateVideo'), 'mp4', { name: 'clip', end: 0.8 });
    await expect(clip).rejects.toMatchObject({
      code: 'INPUT_UNSUPPORTED',
      message: expect.stringContaining('starts at 1.000 s'),
    });
  });

  it.each([
    [0, 3],
    [1.5, 1.5],
  ])('is shown from the start of a GIF at %d s', async (start, seconds) => {
    const output = await encodeOne(await unusualClip('lateVideo'), 'gif', { name: 'gif', start });
    expect(output.probe.durationSeconds).toBeCloseTo(seconds, 0);
  });
});

it('a video with a long frame keeps its short frames at another speed', async () => {
  const output = await encodeOne(await unusualClip('heldGif'), 'mp4', { name: 'speed', factor: 0.5 });
  expect(await changes(output.path)).toBe(4);
});

it.each<[Format, z.input<typeof recipeRequestSchema>]>([
  ['mp4', { name: 'compress' }],
  ['mov', { name: 'remux' }],
  ['mkv', { name: 'remux' }],
  ['mp4', { name: 'clip', end: 0.5, accuracy: 'keyframe' }],
  ['mp4', { name: 'mute' }],
  ['png', { name: 'thumbnail', at: 0 }],
])('a video that its container crops keeps its shapes in the %s of %o', async (format, recipe) => {
  const { path } = await encodeOne(await croppedClip(), format, recipe);
  const frame = await decodeFrameAt(path, 0);
  const middle = Array.from({ length: frame.width }, (_, x) => frame.colour(x, frame.height / 2)[0] ?? 0);
  expect(middle.filter((red) => red > 128)).toHaveLength(60);
});

/** How often the frame changes. */
async function changes(path: string): Promise<number> {
  const log = await bareFfmpeg(['-i', path, '-vf', 'mpdecimate=max=0,showinfo', '-f', 'null', '-']);
  return [...log.matchAll(/\bn: *\d+ pts:/g)].length - 1;
}

/** Start and end, in seconds, of each silence of 0.25 s or more in the first audio track. */
async function silences(path: string): Promise<[start: number, end: number][]> {
  const filter = 'silencedetect=noise=-50dB:duration=0.25';
  const log = await bareFfmpeg(['-i', path, '-map', '0:a:0', '-af', filter, '-f', 'null', '-']);
  const found = log.matchAll(/silence_start: (\S+)[\s\S]*?silence_end: (\S+)/g);
  return [...found].map(([, start, end]) => [Number(start), Number(end)]);
}
