import { describe, expect, it } from 'vitest';
import type { HeldOutPair } from '../../../../bench/harness/model/held-out.ts';
import { heldOutPairs } from '../../../../bench/harness/model/held-out.ts';
import {
  besideReference,
  measureSlowness,
  slownessOf,
} from '../../../../bench/harness/model/machine-slowness.ts';

describe('the slowness of a machine', () => {
  it('is the median over the videos of the calibration, for each encoder', async () => {
    const worked: HeldOutPair[] = [];
    const slowness = await measureSlowness(async (work) => {
      worked.push(work);
      const isOutlier = work.source.content.kind === 'screen';
      const measured = isOutlier ? 40 : work.recipe.codec === 'av1' ? 2 : 6;
      return { expected: 2, measured, referenceSeconds: 2 };
    });
    expect(slowness).toEqual({ h264: 1.5, h265: 1.5, vp9: 1.5, av1: 0.5 });
    const sources = heldOutPairs.map(({ source }) => JSON.stringify(source));
    for (const { source } of worked) expect(sources).not.toContain(JSON.stringify(source));
  });

  it('follows the machine, by a reference encode before and after each pair', async () => {
    const references = [1, 3, 5];
    const measure = besideReference(
      async (measured: number) => ({ expected: 2, measured }),
      async () => ({ expected: 1, measured: references.shift() ?? Number.NaN }),
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
