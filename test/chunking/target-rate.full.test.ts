// @module-tag nightly
// @module-tag chunks
// @module-tag quality
import { stat } from 'node:fs/promises';
import { codedFrames, frameTimes, generatedFile, lowestShare } from '@media-jobs/video/testing';
import { expect, it } from 'vitest';
import { encodeBothWays } from '../builders/chunking/encode-both-ways.ts';
import { expectSameAudio } from '../builders/chunking/expect-single-pass-file.ts';

const seconds = 45;

/** A video whose middle is much harder to encode, with a keyframe each second. The audio is silent after 9 s. */
function hardMiddle(): Promise<string> {
  const noise = "noise=alls=40:allf=t:enable='between(t\\,16\\,29)'";
  return generatedFile('hard-middle.mp4', [
    ...['-f', 'lavfi', '-i', `testsrc2=s=192x108:r=15:d=${seconds},${noise}`],
    ...['-f', 'lavfi', '-i', `sine=frequency=440:sample_rate=48000:duration=${seconds},volume='lt(t,9)':eval=frame`],
    ...'-c:v libx264 -preset ultrafast -crf 12 -g 15 -pix_fmt yuv420p -c:a aac'.split(' '),
  ]);
}

const presets = { h264: 'veryfast', h265: 'ultrafast', vp9: 'ultrafast', av1: 'ultrafast' } as const;
const options = { targetChunkSeconds: 20 };

function kbpsOf(frames: { kilobits: number }[]): number {
  return frames.reduce((sum, { kilobits }) => sum + kilobits, 0) / seconds;
}

it.each([
  ['h264', 'mp4', 0.9],
  ['h264', 'mkv', 1.4],
  ['h265', 'mp4', 1.1],
  ['vp9', 'webm', 1.1],
  ['av1', 'mp4', 1.1],
] as const)(
  'a file of a given size in chunks %s in %s has %s MB or up to 3 percent less',
  async (codec, format, targetSizeMb) => {
    const source = await hardMiddle();
    const recipe = { name: 'transcode', codec, targetSizeMb, preset: presets[codec] } as const;
    const both = await encodeBothWays(source, format, recipe, options);
    expect(both.work.chunks.length).toBe(2);
    const megabytes = (await stat(both.chunked)).size / 1e6;
    expect(megabytes).toBeLessThanOrEqual(targetSizeMb);
    // The rates of SVT-AV1 come out so differently that a small chunk may need more trials than it has.
    expect(megabytes).toBeGreaterThanOrEqual((codec === 'av1' ? 0.97 : 0.98) * targetSizeMb);
    expect(await frameTimes(both.chunked)).toEqual(await frameTimes(both.single));
    await expectSameAudio(both.chunked, both.single);
  },
);

it.each([
  ['h264', 'mp4', {}],
  ['h264', 'mp4', { maxrate: 105 }],
  ['h265', 'mp4', {}],
  ['vp9', 'webm', {}],
  ['av1', 'mp4', {}],
] as const)('a target bit rate in chunks %s in %s with %j keeps it', async (codec, format, limits) => {
  const source = await hardMiddle();
  const bitrate = 100;
  const recipe = { name: 'transcode', codec, bitrate, preset: presets[codec], ...limits } as const;
  const both = await encodeBothWays(source, format, recipe, options);
  const { maxrate = 1.5 * bitrate } = limits as { maxrate?: number };
  const frames = await codedFrames(both.chunked);
  const chunked = kbpsOf(frames);
  const single = kbpsOf(await codedFrames(both.single));
  const buffer = { kbps: maxrate, kilobits: 2 * maxrate, initialShare: 0.2 };
  const lowest = lowestShare(frames, buffer);
  expect(chunked).toBeLessThan(codec === 'av1' ? single : 1.02 * bitrate);
  expect(chunked).toBeGreaterThan(0.95 * bitrate);
  if (codec === 'h264' || codec === 'h265') expect(lowest).toBeGreaterThanOrEqual(0);
  expect(await frameTimes(both.chunked)).toEqual(await frameTimes(both.single));
});
