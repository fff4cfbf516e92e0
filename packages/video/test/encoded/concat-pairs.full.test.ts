// @module-tag nightly
// @module-tag concat
import { expect, it } from 'vitest';
import { beeps, flashes, inputStartSeconds, maxDifference } from '../builders/measure/flashes-and-beeps.ts';
import { frameTimes } from '../builders/measure/measure-video.ts';
import { flashAndBeep } from '../builders/media/clip-features.ts';
import { clipWith } from '../builders/media/clips.ts';
import { featurePairs } from '../builders/media/feature-pairs.ts';
import { encodeOne } from '../builders/recipes/encode.ts';

it.each([
  ['mp4', 25, featurePairs],
  ['mkv', 30_000 / 1001, featurePairs.toReversed()],
  ['webm', 50, [...featurePairs, ...featurePairs].slice(0, 20)],
] as const)('%s of every pair of features in a row stays in step at %d frames a second', async (format, fps, all) => {
  const inputs = await Promise.all(all.map((features) => clipWith({ ...features, marks: true })));
  const [first, ...others] = inputs;
  if (first === undefined) throw new Error('There is nothing to join');
  const { path, probe } = await encodeOne({ inputs: [first, ...others] }, format, { name: 'concat', fps });
  const begins = await inputStartSeconds(inputs);
  const total = begins.at(-1) ?? 0;
  expect(Math.abs((await frameTimes(path)).length / fps - total)).toBeLessThanOrEqual(1 / fps);
  expect(Math.abs((probe.durationSeconds ?? 0) - total)).toBeLessThanOrEqual(1 / fps + 0.02);
  const expected = begins.slice(0, -1).map((begin) => begin + flashAndBeep.at);
  const audible = expected.filter((_, index) => all[index]?.audio !== 'none');
  const [flashTimes, beepTimes] = await Promise.all([flashes(path), beeps(path)]);
  expect(maxDifference(flashTimes, expected)).toBeLessThanOrEqual(1 / fps);
  expect(maxDifference(beepTimes, audible)).toBeLessThanOrEqual(1 / fps);
});
