import { describe, expect, it } from 'vitest';
import type { HeldOutPair } from '../../../../bench/harness/model/held-out.ts';
import { heldOutPairs } from '../../../../bench/harness/model/held-out.ts';
import { measureSlowness, slownessOf } from '../../../../bench/harness/model/machine-slowness.ts';

describe('the slowness of a machine', () => {
  it('is the median over the videos of the calibration, for each encoder', async () => {
    const worked: HeldOutPair[] = [];
    const slowness = await measureSlowness(async (work) => {
      worked.push(work);
      const isOutlier = work.source.content.kind === 'screen';
      return { expected: 2, measured: isOutlier ? 20 : work.recipe.codec === 'av1' ? 1 : 3 };
    });
    expect(slowness).toEqual({ h264: 1.5, h265: 1.5, vp9: 1.5, av1: 0.5 });
    const sources = heldOutPairs.map(({ source }) => JSON.stringify(source));
    for (const { source } of worked) expect(sources).not.toContain(JSON.stringify(source));
  });

  it('is that of x264 for a recipe without a codec of its own', () => {
    const slowness = { h264: 1, h265: 2, vp9: 3, av1: 4 };
    expect(slownessOf(slowness, { name: 'transcode', codec: 'vp9' })).toBe(3);
    expect(slownessOf(slowness, { name: 'transcode', codec: 'prores' })).toBe(1);
    expect(slownessOf(slowness, { name: 'gif' })).toBe(1);
  });
});
