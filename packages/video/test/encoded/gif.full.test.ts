// @module-tag images
import { expect, it } from 'vitest';
import { frameTimes, ssim } from '../builders/measure/measure-video.ts';
import { clipWith, specialClip } from '../builders/media/clips.ts';
import { generatedFile } from '../builders/media/generated-file.ts';
import { unusualClip } from '../builders/media/unusual-clips.ts';
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

it('a GIF of flat areas has no pattern, and is much smaller of few colors', async () => {
  const graph = 'gradients=size=320x180:rate=12:duration=1:speed=0.02:n=3:seed=7';
  const source = await generatedFile('gradients.mp4', ['-f', 'lavfi', '-i', graph, '-crf', '4', '-pix_fmt', 'yuv420p']);
  const all = await encodeOne(source, 'gif', { name: 'gif' });
  const few = await encodeOne(source, 'gif', { name: 'gif', colors: 64 });
  expect(await ssim({ path: all.path, filters: 'format=yuv420p' }, { path: source })).toBeGreaterThan(0.99);
  expect(few.probe.sizeBytes).toBeLessThan(0.75 * all.probe.sizeBytes);
});

it('a GIF starts exactly in an input without a keyframe index', async () => {
  const output = await encodeOne(await specialClip('broadcast'), 'gif', { name: 'gif', start: 1, fps: 10 });
  expect(await frameTimes(output.path)).toHaveLength(10);
});

it.each([
  [2, 1, 0],
  [3.5, 1, 0.4],
] as const)('a GIF from %d s of a screen recording shows the frame on screen', async (start, seconds, at) => {
  const source = await unusualClip('pause');
  const output = await encodeOne(source, 'gif', { name: 'gif', start, seconds, fps: 10 });
  expect(output.probe.durationSeconds).toBeCloseTo(seconds, 1);
  const filters = `trim=start=${at},setpts=PTS-STARTPTS,trim=end_frame=1,format=yuv420p`;
  const likeness = (frame: number) =>
    ssim({ path: output.path, filters }, { path: source, filters: `trim=start_frame=${frame},setpts=PTS-STARTPTS` });
  // Frame 24 is on screen until frame 25 at 4 s.
  expect(await likeness(24)).toBeGreaterThan(await likeness(25));
});

it('a GIF within the last slide lasts as long as requested', async () => {
  const output = await encodeOne(await unusualClip('slides'), 'gif', { name: 'gif', start: 25, seconds: 3 });
  expect(output.probe.durationSeconds).toBeCloseTo(3, 1);
});

it('a start after the end is rejected', async () => {
  await expect(encodeOne(await clipWith(), 'gif', { name: 'gif', start: 5 })).rejects.toThrow(
    'The excerpt starts at 5 s, but the video lasts 2.000 s. An animation needs 0.1 s: start earlier, or use thumbnail for one frame',
  );
});
