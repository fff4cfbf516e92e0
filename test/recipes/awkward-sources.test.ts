import { describe, expect, it } from 'vitest';
import { aTurnedPhoto, awkwardClip } from '../builders/awkward-clips.ts';
import { clipWith } from '../builders/clips.ts';
import { encodeOne } from '../builders/encode.ts';
import { ssim } from '../builders/judge-media.ts';

describe('sound that begins late in a Matroska file', () => {
  it.each([
    ['mp4', 3.5],
    ['mkv', 3.5],
  ] as const)('begins late in the %s too', async (format, seconds) => {
    const output = await encodeOne(await awkwardClip('lateSound'), format, { name: 'compress' });
    expect(output.probe.durationSeconds).toBeCloseTo(seconds, 1);
    const [, sound] = output.probe.streams;
    expect(sound?.startSeconds).toBeCloseTo(1.5, 1);
    expect(sound?.durationSeconds).toBeCloseTo(2, 0);
  });

  it('is as long as it is when it stands alone', async () => {
    const output = await encodeOne(await awkwardClip('lateSound'), 'mp3', { name: 'extract-audio' });
    expect(output.probe.durationSeconds).toBeCloseTo(2, 0);
  });
});

it.each(['image', 'thumbnail'] as const)(
  "%s shows a phone's photo upright, in its own shape",
  async (name) => {
    const output = await encodeOne(await aTurnedPhoto(), 'png', { name });
    expect(output.probe.streams).toMatchObject([{ width: 180, height: 320 }]);
    const upright = { path: await clipWith(), filters: 'trim=end_frame=1,transpose=clock,format=gbrp' };
    expect(await ssim({ path: output.path, filters: 'format=gbrp' }, upright)).toBeGreaterThan(0.8);
  },
);
