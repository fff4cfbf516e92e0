import { expect, it } from 'vitest';
import { frameTimes, ssim } from '../builders/measure/measure-video.ts';
import { clipWith, specialClip } from '../builders/media/clips.ts';
import { encodeOne } from '../builders/recipes/encode.ts';

it('a GIF shows the requested excerpt in its colors', async () => {
  const source = await clipWith();
  const request = { name: 'gif', start: 0.5, seconds: 1, fps: 10, width: 160 } as const;
  const output = await encodeOne(source, 'gif', request);
  expect(output.probe.streams).toMatchObject([{ codec: 'gif', width: 160, height: 90 }]);
  expect(await frameTimes(output.path)).toHaveLength(10);
  const part = { path: source, filters: 'trim=start=0.5:end=1.5,setpts=PTS-STARTPTS,fps=10,scale=160:90' };
  expect(await ssim({ path: output.path, filters: 'format=yuv420p' }, part)).toBeGreaterThan(0.8);
});

it('a GIF starts exactly in an input without a keyframe index', async () => {
  const output = await encodeOne(await specialClip('broadcast'), 'gif', { name: 'gif', start: 1, fps: 10 });
  expect(await frameTimes(output.path)).toHaveLength(10);
});

it('a start after the end is rejected', async () => {
  await expect(encodeOne(await clipWith(), 'gif', { name: 'gif', start: 5 })).rejects.toThrow(
    'The excerpt starts at 5 s, but the video lasts 2.000 s. An animation needs 0.1 s: start earlier, or use thumbnail for one frame',
  );
});
