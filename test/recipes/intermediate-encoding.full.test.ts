// @module-tag nightly
// @module-tag pipelines
// @module-tag quality
import { clipWith, ssim } from '@media-jobs/video/testing';
import { describe, expect, it } from 'vitest';
import { runPipeline } from '../builders/recipes/run-pipeline.ts';

const turned = { name: 'rotate', degrees: 180 } as const;

/** The distance of an output from its clip; 0: identical. */
async function loss(path: string): Promise<number> {
  return 1 - (await ssim({ path }, { path: await clipWith() }));
}

describe('a pipeline of several steps', () => {
  it.each(['mp4', 'webm'] as const)('loses in %s hardly more than its last step', async (format) => {
    const last = { name: 'resize', width: 320 } as const;
    const once = await loss(await runPipeline(await clipWith(), format, [last]));
    const often = await loss(await runPipeline(await clipWith(), format, [turned, turned, last]));
    expect(often).toBeLessThan(once * 1.25);
  });

  it('loses nothing in a PNG intermediate', async () => {
    const shot = { name: 'thumbnail', at: 1 } as const;
    const truth = { path: await runPipeline(await clipWith(), 'png', [shot]), filters: 'format=gbrp' };
    const alike = (path: string) => ssim({ path, filters: 'format=gbrp' }, truth);
    const once = await alike(await runPipeline(await clipWith(), 'jpg', [shot]));
    const twice = await alike(await runPipeline(await clipWith(), 'jpg', [shot, { name: 'image' }]));
    expect(twice).toBeGreaterThanOrEqual(once - 0.001);
  });
});
