// @module-tag nightly
// @module-tag chunks
// @module-tag quality
import { stat } from 'node:fs/promises';
import { codedFrames, generatedFile, lowestShare } from '@media-jobs/video/testing';
import { describe, expect, it } from 'vitest';
import { encodeBothWays } from '../builders/chunking/encode-both-ways.ts';

/** A minute with a keyframe each second. The noise is more than the rate can hold. */
const sources = {
  'at the limit all the time': 'noise=alls=60:allf=t',
  'busy around the seams': "noise=alls=60:allf=t:enable='lt(mod(t+4\\,12)\\,8)'",
  'with a few scenes that are busy': "noise=alls=60:allf=t:enable='lt(mod(t\\,9)\\,2)'",
};

function sourceOf(noise: string): Promise<string> {
  return generatedFile('limited-rate.mp4', [
    ...['-f', 'lavfi', '-i', `testsrc2=s=256x144:r=25:d=63,${noise}`],
    ...['-c:v', 'libx264', '-preset', 'ultrafast', '-crf', '12', '-g', '25', '-pix_fmt', 'yuv420p'],
  ]);
}

const presets = { h264: 'superfast', h265: 'ultrafast' } as const;
const maxrate = 500;
const whole = { kbps: maxrate, kilobits: 2 * maxrate };

describe.each(['h264', 'h265'] as const)('%s with a maximum bit rate', (codec) => {
  it.each(Object.entries(sources))('keeps it over the seams of a video %s', async (_, noise) => {
    const recipe = { name: 'transcode', codec, crf: 22, maxrate, preset: presets[codec] } as const;
    const both = await encodeBothWays(await sourceOf(noise), 'mp4', recipe, { targetChunkSeconds: 20 });
    expect(both.work.chunks.length).toBe(3);
    const single = lowestShare(await codedFrames(both.single), { ...whole, initialShare: 0.9 });
    // A decoder that starts with as little as the first chunk assumes.
    const chunked = lowestShare(await codedFrames(both.chunked), { ...whole, initialShare: 0.2 });
    const [singleSize, chunkedSize] = [await stat(both.single), await stat(both.chunked)];
    const sizes = chunkedSize.size / singleSize.size;
    console.log({ codec, noise, single, chunked, sizes });
    expect(chunked).toBeGreaterThanOrEqual(0);
    // The buffer is used.
    expect(chunked).toBeLessThan(0.5);
    expect(Math.abs(sizes - 1)).toBeLessThan(0.08);
  });
});
