import { expect, it } from 'vitest';
import { clipWith } from '../builders/clips.ts';
import { encodeOne } from '../builders/encode.ts';
import { frameTimes, ssim } from '../builders/judge-media.ts';

it.each([
  ['mp4', 1],
  // The container does not take the codec: the picture is encoded anew, close to the source.
  ['webm', 0.9],
] as const)('takes the sound off and keeps the picture in %s', async (format, alike) => {
  const source = await clipWith();
  const output = await encodeOne(source, format, { name: 'mute' });
  expect(output.probe.streams.map(({ kind }) => kind)).toEqual(['video']);
  expect(await frameTimes(output.path)).toHaveLength((await frameTimes(source)).length);
  expect(await ssim({ path: output.path }, { path: source })).toBeGreaterThanOrEqual(alike);
});

it('keeps a turned clip upright', async () => {
  const output = await encodeOne(await clipWith({ shape: 'portrait' }), 'mov', { name: 'mute' });
  expect(output.probe.streams[0]).toMatchObject({ width: 180, height: 320 });
});
