// @module-tag chunks
// @module-tag timing
import { anEncoder, chunkSource, frameTimes } from '@media-jobs/video/testing';
import { expect, it } from 'vitest';
import { encodeBothWays } from '../builders/chunking/encode-both-ways.ts';
import { expectSameClipOfPause } from '../builders/chunking/expect-same-clip-of-pause.ts';

it.each([
  ['starts', { start: 5, end: 12 }],
  ['ends', { start: 0.5, end: 7 }],
] as const)('a clip in chunks that %s in a pause of a screen recording is that of a single pass', async (_, range) => {
  await expectSameClipOfPause('mp4', range);
});

it('a clip that ends in a pause is assembled as ffmpeg joins it', async () => {
  const recipe = { name: 'clip', start: 0.5, end: 7 } as const;
  const both = await encodeBothWays(await chunkSource('longGap'), 'mp4', recipe, { isAssembled: true, isMuted: true });
  const [single] = (await anEncoder().probe(both.single)).streams;
  const [assembled] = (await anEncoder().probe(both.chunked)).streams;
  expect(await frameTimes(both.chunked)).toEqual(await frameTimes(both.single));
  expect(assembled?.durationSeconds).toBeCloseTo(6.5, 2);
  expect(single?.durationSeconds).toBeCloseTo(6.5, 2);
});

it.each([
  ['mp4', 'h264'],
  ['mkv', 'h264'],
  ['mp4', 'av1'],
] as const)('the last frame of a chunked video in %s with %s keeps its own length', async (format, codec) => {
  const recipe = { name: 'transcode', codec, preset: 'veryfast' } as const;
  const { single, chunked } = await encodeBothWays(await chunkSource('heldLastFrame'), format, recipe);
  expect(await frameTimes(chunked)).toEqual(await frameTimes(single));
  for (const path of [single, chunked]) {
    const [video] = (await anEncoder().probe(path)).streams;
    expect(video?.durationSeconds, path).toBeCloseTo(12.56, 2);
  }
});
