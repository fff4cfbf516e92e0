// @module-tag nightly
// @module-tag timing
import { expect, it } from 'vitest';
import { audioSeconds, frameTimes, loudnessAt, ssim } from '../builders/measure/measure-video.ts';
import { clipWith } from '../builders/media/clips.ts';
import { encodeOne } from '../builders/recipes/encode.ts';

it.each([
  [2, 25],
  [4, 12.5],
  [0.5, 100],
  [0.25, 200],
] as const)('a video at speed %s has the matching duration, the same pitch and is in sync', async (factor, frames) => {
  const source = await clipWith();
  const output = await encodeOne(source, 'mp4', { name: 'speed', factor });
  const times = await frameTimes(output.path);
  expect(Math.abs(times.length - frames)).toBeLessThanOrEqual(1);
  expect(Math.abs((times.at(-1) ?? 0) - (2 / factor - 0.04))).toBeLessThan(0.041);
  expect(Math.abs((await audioSeconds(output.path)) - 2 / factor)).toBeLessThan(0.1);
  expect(Math.abs((await loudnessAt(output.path, 440)) - (await loudnessAt(source, 440)))).toBeLessThan(2);
});

it('a video at another speed shows the frame of each time', async () => {
  const source = await clipWith();
  const output = await encodeOne(source, 'mp4', { name: 'speed', factor: 2 });
  const there = { path: output.path, filters: 'select=eq(n\\,10),trim=end_frame=1' };
  const here = { path: source, filters: 'select=eq(n\\,20),trim=end_frame=1' };
  expect(await ssim(there, here)).toBeGreaterThan(0.9);
});
