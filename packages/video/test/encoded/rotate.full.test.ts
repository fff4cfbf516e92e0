// @module-tag nightly
// @module-tag geometry
import { expect, it } from 'vitest';
import { ssim } from '../builders/measure/measure-video.ts';
import { clipWith } from '../builders/media/clips.ts';
import { encodeOne } from '../builders/recipes/encode.ts';

it.each([
  [{ degrees: 90 }, '180x320', 'transpose=1'],
  [{ degrees: 180 }, '320x180', 'transpose=1,transpose=1'],
  [{ degrees: 270 }, '180x320', 'transpose=2'],
  [{ flip: 'horizontal' }, '320x180', 'hflip'],
  [{ degrees: 90, flip: 'vertical' }, '180x320', 'transpose=1,vflip'],
] as const)('rotate with %o transforms the video', async (change, size, filters) => {
  const source = await clipWith();
  const output = await encodeOne(source, 'mp4', { name: 'rotate', ...change });
  const [video] = output.probe.streams;
  expect(video?.kind === 'video' && [`${video.width}x${video.height}`, video.rotation]).toEqual([size, 0]);
  expect(await ssim({ path: output.path }, { path: source, filters })).toBeGreaterThan(0.9);
});

it('rotate is relative to the displayed orientation, not to the stored one', async () => {
  const output = await encodeOne(await clipWith({ shape: 'portrait' }), 'mp4', { name: 'rotate', degrees: 90 });
  expect(output.probe.streams[0]).toMatchObject({ width: 320, height: 180 });
});
