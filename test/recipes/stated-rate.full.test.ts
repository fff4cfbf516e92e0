// @module-tag nightly
// @module-tag timing
import { encode, generatedFile, specialClip, statedTiming } from '@media-jobs/video/testing';
import { describe, expect, it } from 'vitest';
import { encodeAll } from '../builders/recipes/encode-all.ts';

/** A clip of a constant rate; Matroska rounds its timestamps to milliseconds, MP4 has 12,800 ticks a second. */
function clip(format: 'mp4' | 'mkv', rate: string): Promise<string> {
  const source = `testsrc2=size=320x180:rate=${rate}:duration=2`;
  const codec = ['-c:v', 'libx264', '-preset', 'ultrafast'];
  return generatedFile(`rate.${format}`, ['-f', 'lavfi', '-i', source, ...codec]);
}

const fast = { name: 'transcode', preset: 'ultrafast' } as const;

function videoDisc(rate: string): Promise<string> {
  const source = `testsrc2=size=320x180:rate=${rate}:duration=4`;
  return generatedFile('rate.mpg', ['-f', 'lavfi', '-i', source, '-c:v', 'mpeg1video', '-b:v', '300k']);
}

describe('the stream of a constant rate states that rate', () => {
  it.each([
    ['25 in MP4', () => clip('mp4', '25'), fast, 25],
    ['29.97 in MKV', () => clip('mkv', '30000/1001'), fast, 30_000 / 1001],
    ['60 in MKV, as H.265', () => clip('mkv', '60'), { ...fast, codec: 'h265' }, 60],
    ['fields as frames', () => specialClip('interlaced'), fast, 50],
    ['another rate', () => clip('mp4', '25'), { ...fast, fps: 30 }, 30],
    ['another speed', () => clip('mp4', '25'), { name: 'speed', factor: 2 }, 25],
    ['a rendition', () => clip('mp4', '25'), { name: 'renditions', heights: [180] }, 25],
  ] as const)('%s', async (_, source, recipe, rate) => {
    const [output] = await encode(await source(), 'mp4', recipe as Parameters<typeof encode>[2]);
    expect((await statedTiming(output?.path ?? '')).framesPerSecond).toBeCloseTo(rate, 3);
  });

  it.each([
    ['MP4', () => clip('mp4', '25'), 25],
    ['MPEG-1, of which ffprobe reports twice the rate', () => videoDisc('24000/1001'), 24_000 / 1001],
  ])('a rendition of a stream, from %s', async (_, source, rate) => {
    const files = await encodeAll(await source(), 'm3u8', { name: 'hls', preset: 'ultrafast' });
    expect((await statedTiming(files.paths.get('180p') ?? '')).framesPerSecond).toBeCloseTo(rate, 3);
  });
});

it('the stream of a variable rate states the ticks of its timestamps, and no fixed rate', async () => {
  const source = await generatedFile('variable.mp4', [
    ...['-f', 'lavfi', '-i', 'testsrc2=size=320x180:rate=25:duration=2', '-vf', "select='mod(n,5)'"],
    ...['-fps_mode', 'vfr', '-enc_time_base', '1/90000', '-c:v', 'libx264', '-preset', 'ultrafast'],
  ]);
  const [output] = await encode(source, 'mp4', fast);
  expect(await statedTiming(output?.path ?? '')).toEqual({ framesPerSecond: 90_000, isFixed: false });
});
