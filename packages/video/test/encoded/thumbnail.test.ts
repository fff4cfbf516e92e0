// @module-tag images
import { describe, expect, it } from 'vitest';
import { decodeFrameAt } from '../builders/measure/frame-at.ts';
import { meanBrightness, ssim } from '../builders/measure/measure-video.ts';
import { clipWith, specialClip } from '../builders/media/clips.ts';
import { frameNumber, numberedClip } from '../builders/media/numbered-clip.ts';
import { encode, encodeOne } from '../builders/recipes/encode.ts';

const frameAt = (index: number, more = '') => `select=eq(n\\,${index})${more}`;

describe('thumbnail', () => {
  it.each([
    [0, 0, 'png'],
    [1, 25, 'jpg'],
    [1.03, 26, 'webp'],
    [1.99, 49, 'png'],
    [2, 49, 'png'],
  ] as const)('shows at %d s frame %i, as %s', async (at, index, format) => {
    const source = await clipWith();
    const output = await encodeOne(source, format, { name: 'thumbnail', at });
    expect(await ssim({ path: output.path }, { path: source, filters: frameAt(index) })).toBeGreaterThan(0.97);
  });

  it('has the requested width, even an odd one', async () => {
    const output = await encodeOne(await clipWith({ colour: 'hdr' }), 'png', { name: 'thumbnail', at: 1, width: 101 });
    expect(output.probe.streams).toMatchObject([{ kind: 'video', width: 101, height: 57 }]);
  });

  it('is upright', async () => {
    const output = await encodeOne(await clipWith({ shape: 'portrait' }), 'jpg', { name: 'thumbnail', at: 1 });
    const upright = { path: await clipWith(), filters: frameAt(25, ',transpose=cclock') };
    expect(await ssim({ path: output.path }, upright)).toBeGreaterThan(0.95);
  });

  it('finds its frame in a broadcast, which has no keyframe index', async () => {
    const source = await specialClip('broadcast');
    // The file starts with its audio, a little before the first frame.
    const output = await encodeOne(source, 'png', { name: 'thumbnail', at: 1.03 });
    expect(await ssim({ path: output.path }, { path: source, filters: frameAt(25) })).toBeGreaterThan(0.97);
  });

  it('is not the black opening with best', async () => {
    const output = await encodeOne(await specialClip('blackOpening'), 'jpg', { name: 'thumbnail' });
    expect(await meanBrightness(output.path)).toBeGreaterThan(60);
  });

  it('is in focus with best, in a video that seldom is', async () => {
    const { path } = await encodeOne(await specialClip('unfocused'), 'png', { name: 'thumbnail' });
    // Blurring changes only what is sharp.
    expect(await ssim({ path }, { path, filters: 'gblur=sigma=4' })).toBeLessThan(0.9);
  });

  it('is made from a still image too', async () => {
    const still = await specialClip('stillImage');
    const output = await encodeOne(still, 'webp', { name: 'thumbnail', width: 160 });
    expect(await ssim({ path: output.path }, { path: still, filters: 'scale=160:90' })).toBeGreaterThan(0.95);
  });
});

describe('thumbnails', () => {
  it('are the frames at each interval, in order', async () => {
    const source = await clipWith();
    const outputs = await encode(source, 'jpg', { name: 'thumbnails', every: 0.6, width: 160, accuracy: 'frame' });
    expect(outputs.map(({ filename }) => filename)).toEqual([
      'thumbnail-001.jpg',
      'thumbnail-002.jpg',
      'thumbnail-003.jpg',
      'thumbnail-004.jpg',
    ]);
    for (const [step, { path }] of outputs.entries()) {
      const reference = { path: source, filters: frameAt(step * 15, ',scale=160:90') };
      expect(await ssim({ path }, reference)).toBeGreaterThan(0.95);
    }
  });

  it.each([
    [7, 'keyframe', [0, 7, 21, 28, 42, 49, 56]],
    // Exact where no keyframe is within half an interval: by a seek to each, or from the whole video.
    [15, 'keyframe', [0, 10, 15, 30, 40, 45, 60]],
    [30, 'keyframe', [0, 10, 20, 30, 40, 50, 60]],
    [60, 'keyframe', [0, 10, 20, 30, 40, 50, 60]],
    [7, 'frame', [0, 10, 20, 30, 40, 50, 60]],
  ] as const)(
    'of a video with a keyframe every %i frames are, with accuracy %s, the frames %j',
    async (gop, accuracy, expected) => {
      const outputs = await encode(await numberedClip(gop), 'png', { name: 'thumbnails', every: 1, accuracy });
      for (const [index, { path }] of outputs.entries()) {
        const [grey = 0] = (await decodeFrameAt(path, 0)).colour(64, 36);
        expect(Math.abs(frameNumber(grey) - (expected[index] ?? 0))).toBeLessThan(0.65);
      }
      expect(outputs).toHaveLength(7);
    },
  );
});
