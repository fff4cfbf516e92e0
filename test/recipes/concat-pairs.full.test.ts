import { expect, it } from 'vitest';
import { mark } from '../builders/clip-features.ts';
import { clipWith } from '../builders/clips.ts';
import { encodeOne } from '../builders/encode.ts';
import { beeps, beginnings, distances, flashes } from '../builders/flashes-and-beeps.ts';
import { frameTimes } from '../builders/judge-media.ts';
import { pairsOfFeatures } from '../builders/pairs-of-features.ts';

it.each([
  ['mp4', 25, pairsOfFeatures],
  ['mkv', 30_000 / 1001, pairsOfFeatures.toReversed()],
  ['webm', 50, [...pairsOfFeatures, ...pairsOfFeatures].slice(0, 20)],
] as const)(
  '%s of every pair of features in a row stays in step at %d frames a second',
  async (format, fps, all) => {
    const inputs = await Promise.all(all.map((features) => clipWith({ ...features, marks: true })));
    const [first, ...others] = inputs;
    if (first === undefined) throw new Error('There is nothing to join');
    const { path, probe } = await encodeOne({ inputs: [first, ...others] }, format, { name: 'concat', fps });
    const begins = await beginnings(inputs);
    const total = begins.at(-1) ?? 0;
    expect(Math.abs((await frameTimes(path)).length / fps - total)).toBeLessThanOrEqual(1 / fps);
    expect(Math.abs((probe.durationSeconds ?? 0) - total)).toBeLessThanOrEqual(1 / fps + 0.02);
    const expected = begins.slice(0, -1).map((begin) => begin + mark.at);
    const audible = expected.filter((_, index) => all[index]?.sound !== 'none');
    const [seen, heard] = await Promise.all([flashes(path), beeps(path)]);
    expect(distances(seen, expected)).toBeLessThanOrEqual(1 / fps);
    expect(distances(heard, audible)).toBeLessThanOrEqual(1 / fps);
  },
);
