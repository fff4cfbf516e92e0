// @module-tag nightly
// @module-tag geometry
import { describe, expect, it } from 'vitest';
import { ssim } from '../builders/measure/measure-video.ts';
import { clipWith } from '../builders/media/clips.ts';
import { encodeOne } from '../builders/recipes/encode.ts';

const target = { width: 160, height: 160 };

describe('resize', () => {
  it.each([
    ['contain', '160x90', 'scale=160:90'],
    ['cover', '160x160', 'scale=284:160,crop=160:160'],
    ['pad', '160x160', 'scale=160:90,pad=160:160:0:35'],
  ] as const)('%s makes %s of a landscape clip', async (fit, size, filters) => {
    const source = await clipWith();
    const output = await encodeOne(source, 'mp4', { name: 'resize', ...target, fit });
    const [video] = output.probe.streams;
    expect(video?.kind === 'video' && `${video.width}x${video.height}`).toBe(size);
    expect(await ssim({ path: output.path }, { path: source, filters })).toBeGreaterThan(0.9);
  });

  it.each([
    ['center', 'crop=160:160'],
    ['left', 'crop=160:160:0:0'],
    ['right', 'crop=160:160:124:0'],
  ] as const)('covers with the %s of a landscape clip', async (gravity, crop) => {
    const source = await clipWith();
    const output = await encodeOne(source, 'mp4', { name: 'resize', ...target, fit: 'cover', gravity });
    expect(await ssim({ path: output.path }, { path: source, filters: `scale=284:160,${crop}` })).toBeGreaterThan(0.9);
  });

  it('enlarges on request', async () => {
    const source = await clipWith();
    const output = await encodeOne(source, 'webm', { name: 'resize', height: 360 });
    expect(output.probe.streams[0]).toMatchObject({ width: 640, height: 360 });
    expect(await ssim({ path: output.path, filters: 'scale=320:180' }, { path: source })).toBeGreaterThan(0.9);
  });

  it('uses the displayed width and height of a rotated clip', async () => {
    const output = await encodeOne(await clipWith({ shape: 'portrait' }), 'mp4', { name: 'resize', width: 90 });
    expect(output.probe.streams[0]).toMatchObject({ width: 90, height: 160 });
  });
});
