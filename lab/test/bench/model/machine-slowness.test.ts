import { describe, expect, it } from 'vitest';
import type { HeldOutPair } from '../../../bench/harness/model/held-out.ts';
import { heldOutPairs } from '../../../bench/harness/model/held-out.ts';
import {
  besideReference,
  meanSlowness,
  sampleSlowness,
  slownessOf,
} from '../../../bench/harness/model/machine-slowness.ts';

describe('the slowness of a machine', () => {
  it('is measured on the videos of the calibration, none of which is of a held-out pair', async () => {
    const worked: HeldOutPair[] = [];
    const samples = await sampleSlowness(async (work) => {
      worked.push(work);
      return { expected: 2, measured: work.recipe.codec === 'av1' ? 2 : 6, referenceSeconds: 2 };
    });
    expect(samples).toEqual(worked.map(({ recipe: { codec } }) => ({ codec, ratio: codec === 'av1' ? 0.5 : 1.5 })));
    const sources = heldOutPairs.map(({ source }) => JSON.stringify(source));
    for (const { source } of worked) expect(sources).not.toContain(JSON.stringify(source));
  });

  it('is the geometric mean of the samples of each encoder', () => {
    const samples = (['h264', 'h265', 'vp9', 'av1'] as const).flatMap((codec, index) => [
      { codec, ratio: index + 1 },
      { codec, ratio: 4 * (index + 1) },
    ]);
    const { h264, h265, vp9, av1 } = meanSlowness(samples);
    expect(h264).toBeCloseTo(2, 10);
    expect(h265).toBeCloseTo(4, 10);
    expect(vp9).toBeCloseTo(6, 10);
    expect(av1).toBeCloseTo(8, 10);
  });

  it('follows the machine, by a reference encode before and after each pair', async () => {
    const references = [1, 3, 5];
    const measure = besideReference(
      async (measured: number) => ({ expected: 2, measured }),
      async () => references.shift() ?? Number.NaN,
    );
    expect(await measure(7)).toEqual({ expected: 2, measured: 7, referenceSeconds: 2 });
    expect(await measure(8)).toEqual({ expected: 2, measured: 8, referenceSeconds: 4 });
  });

  it('is that of x264 for a recipe without a codec of its own', () => {
    const slowness = { h264: 1, h265: 2, vp9: 3, av1: 4 };
    expect(slownessOf(slowness, { name: 'transcode', codec: 'vp9' })).toBe(3);
    expect(slownessOf(slowness, { name: 'transcode', codec: 'prores' })).toBe(1);
    expect(slownessOf(slowness, { name: 'gif' })).toBe(1);
  });
});
