import { describe, expect, it } from 'vitest';
import { awkwardClip } from '../builders/awkward-clips.ts';
import { encodeOne } from '../builders/encode.ts';

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
