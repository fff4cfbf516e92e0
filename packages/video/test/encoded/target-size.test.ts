// @module-tag quality
import { stat } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { aProbe, aVideoStream } from '../builders/media/a-probe.ts';
import { clipWith } from '../builders/media/clips.ts';
import { generatedFile } from '../builders/media/generated-file.ts';
import { encodeOne } from '../builders/recipes/encode.ts';
import { plan } from '../builders/recipes/plan.ts';

it('targetSizeMb makes a file of at most that size and at least 98 % of it', async () => {
  const recipe = { name: 'compress', targetSizeMb: 0.2, preset: 'ultrafast' } as const;
  const output = await encodeOne(await clipWith(), 'mp4', recipe);
  const { size } = await stat(output.path);
  expect(size).toBeLessThanOrEqual(200_000);
  expect(size).toBeGreaterThanOrEqual(196_000);
  expect(output.measurements).toEqual({ videoKbps: expect.any(Number) });
});

it.each([5, 13])('of %d MB, which a still second does not fill, AV1 makes its best file', async (targetSizeMb) => {
  const source = await generatedFile('still-second.mp4', [
    ...'-f lavfi -i testsrc2=size=640x360:rate=60:duration=1,loop=loop=-1:size=1,trim=duration=1'.split(' '),
    ...['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p'],
  ]);
  const recipe = { name: 'transcode', codec: 'av1', targetSizeMb, preset: 'ultrafast' } as const;
  const output = await encodeOne(source, 'mp4', recipe);
  const { size } = await stat(output.path);
  expect(size).toBeLessThan(targetSizeMb * 1e6);
  expect(output.measurements?.videoKbps).toBeLessThanOrEqual(100_000);
});

describe('targetSizeMb is rejected before encoding', () => {
  const hour = aProbe([aVideoStream({ width: 1920, height: 1080, durationSeconds: 3600, framesPerSecond: 25 })], {
    durationSeconds: 3600,
  });

  it('if the file is too small for the video', () => {
    expect(() => plan({ name: 'compress', targetSizeMb: 50 }, 'mp4', hour)).toThrow(
      /3600 s of this video need at least 9\d\.\d+ MB; targetSizeMb is 50/,
    );
  });

  it('if the video cannot fill the file', () => {
    expect(() => plan({ name: 'transcode', targetSizeMb: 5_000 }, 'mp4')).toThrow(/fill at most/);
  });

  it('if another quality is given as well', () => {
    expect(() => plan({ name: 'compress', targetSizeMb: 5, targetVmaf: 90 }, 'mp4')).toThrow('not both');
    expect(() => plan({ name: 'transcode', targetSizeMb: 5, crf: 23 }, 'mp4')).toThrow('cannot be combined with crf');
  });
});
