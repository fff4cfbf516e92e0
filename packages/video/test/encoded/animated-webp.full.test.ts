// @module-tag nightly
// @module-tag images
// @module-tag timing
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { aTemporaryFolder } from '@media-jobs/testing/temporary-folder';
import { describe, expect, it } from 'vitest';
import { inputLimitsSchema, validateProbe } from '../../src/media/probe/input-limits.ts';
import { readWebpAnimation } from '../../src/media/probe/read-webp.ts';
import { ssim } from '../builders/measure/measure-video.ts';
import { bareFfmpeg } from '../builders/media/bare-ffmpeg.ts';
import { clipWith, specialClip } from '../builders/media/clips.ts';
import { unusualClip } from '../builders/media/unusual-clips.ts';
import { readerOf, writeFirstFrame } from '../builders/media/webp.ts';
import { anEncoder, encodeOne } from '../builders/recipes/encode.ts';

const request = { name: 'animated-webp', start: 0.5, seconds: 1, fps: 10, width: 160 } as const;

async function animationIn(path: string) {
  await using file = await open(path);
  return readWebpAnimation(readerOf(await file.readFile()));
}

describe('animated-webp', () => {
  it('shows the requested excerpt', async () => {
    const source = await clipWith();
    const output = await encodeOne(source, 'webp', request);
    const size = { width: 160, height: 90 };
    expect(output.probe).toMatchObject({ durationSeconds: 1, streams: [{ codec: 'webp', ...size }] });
    expect(await animationIn(output.path)).toEqual({ ...size, frameCount: 10, durationSeconds: 1, loopCount: 0 });

    const still = join(await aTemporaryFolder(), 'first.webp');
    await writeFirstFrame(output.path, still);
    const first = { path: source, filters: 'trim=start=0.5,setpts=PTS-STARTPTS,trim=end_frame=1,scale=160:90' };
    expect(await ssim({ path: still }, first)).toBeGreaterThan(0.9);
  });

  it('lasts as long as the excerpt, within a frame, if frames are not whole milliseconds', async () => {
    const output = await encodeOne(await specialClip('broadcast'), 'webp', {
      ...request,
      start: 0.25,
      seconds: 1.5,
      fps: 12,
    });
    expect(Math.abs((output.probe.durationSeconds ?? 0) - 1.5)).toBeLessThanOrEqual(1 / 12);
  });

  it('starts with the frame on screen in a pause of a screen recording', async () => {
    const source = await unusualClip('pause');
    const output = await encodeOne(source, 'webp', { ...request, start: 3.5, width: 320 });
    expect(output.probe.durationSeconds).toBeCloseTo(1, 1);
    const still = join(await aTemporaryFolder(), 'first.webp');
    await writeFirstFrame(output.path, still);
    const likeness = (frame: number) =>
      ssim({ path: still }, { path: source, filters: `trim=start_frame=${frame},setpts=PTS-STARTPTS` });
    // Frame 24 is on screen until frame 25 at 4 s.
    expect(await likeness(24)).toBeGreaterThan(await likeness(25));
  });

  it('plays once and at lower quality on request', async () => {
    const source = await clipWith();
    const better = await encodeOne(source, 'webp', { ...request, quality: 90 });
    const worse = await encodeOne(source, 'webp', { ...request, quality: 10, loop: false });
    expect(worse.probe.sizeBytes).toBeLessThan(better.probe.sizeBytes / 2);
    expect(await animationIn(worse.path)).toMatchObject({ loopCount: 1 });
  });

  it('is a still image if nothing moves', async () => {
    const still = join(await aTemporaryFolder(), 'still.mp4');
    await bareFfmpeg([...'-f lavfi -i color=red:size=64x64:rate=25:duration=2 -c:v libx264'.split(' '), still]);
    const output = await encodeOne(still, 'webp', { name: 'animated-webp' });
    expect(output.probe.streams).toMatchObject([{ codec: 'webp', width: 64, height: 64 }]);
    expect(output.probe).toMatchObject({ durationSeconds: undefined });
  });

  it('is rejected as an input with the reason', async () => {
    const { path } = await encodeOne(await clipWith(), 'webp', request);
    const probe = await anEncoder().probe(path);
    expect(() => validateProbe(probe, inputLimitsSchema.parse({}))).toThrow('The input is an animated WebP');
  });
});
