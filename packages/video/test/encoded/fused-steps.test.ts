// @module-tag pipelines
import { it } from 'vitest';
import { expectSameFrames, recipesOfPairs } from '../builders/measure/fused-pairs.ts';
import { clipWith } from '../builders/media/clips.ts';

const { rotate, resize, watermark, compress, clip } = recipesOfPairs;
const subtitles = recipesOfPairs['burn-subtitles'];

it.each([
  [[rotate, resize, watermark, compress]],
  [[subtitles, clip, watermark, resize]],
  [[clip, subtitles, rotate]],
] as const)('steps are one encode with the frames of several: %j', async (recipes) => {
  await expectSameFrames(await clipWith({ shape: 'portrait' }), recipes);
});
