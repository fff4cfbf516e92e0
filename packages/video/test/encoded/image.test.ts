// @module-tag images
import { join } from 'node:path';
import { aTemporaryFolder } from '@media-jobs/testing/temporary-folder';
import { describe, expect, it } from 'vitest';
import { deltaE2000 } from '../builders/measure/delta-e.ts';
import { meanBrightness, ssim } from '../builders/measure/measure-video.ts';
import { bareFfmpeg, bareFfmpegOutput } from '../builders/media/bare-ffmpeg.ts';
import { clipWith, specialClip } from '../builders/media/clips.ts';
import { colorOf, displayP3Patch, p3PatchInSrgb } from '../builders/media/display-p3-patch.ts';
import { generatedFile } from '../builders/media/generated-file.ts';
import { encodeOne } from '../builders/recipes/encode.ts';

describe('image', () => {
  it.each([
    ['jpg', 'mjpeg'],
    ['png', 'png'],
    ['webp', 'webp'],
    ['avif', 'av1'],
  ] as const)('converts to %s', async (format, codec) => {
    const source = await specialClip('stillImage');
    const output = await encodeOne(source, format, { name: 'image' });
    expect(output.probe.streams).toMatchObject([{ codec, width: 320, height: 180 }]);
    const filters = 'format=yuv420p';
    expect(await ssim({ path: output.path, filters }, { path: source, filters })).toBeGreaterThan(0.9);
  });

  it('converts the colors of a profile to sRGB where the format has no profile', async () => {
    const output = await encodeOne(await displayP3Patch('png'), 'webp', { name: 'image' });
    expect(deltaE2000(await colorOf(output.path), p3PatchInSrgb)).toBeLessThan(2);
  });

  it('changes the size', async () => {
    const request = { name: 'image', width: 100, height: 100, fit: 'pad' } as const;
    const output = await encodeOne(await specialClip('stillImage'), 'png', request);
    expect(output.probe.streams).toMatchObject([{ width: 100, height: 100 }]);
  });

  it.each([
    ['jpg', 255],
    ['png', 0],
  ] as const)('has a white background for transparency only in jpg: %s', async (format, expected) => {
    const clear = join(await aTemporaryFolder(), 'clear.png');
    const nothing = 'color=black@0:size=64x64,format=rgba';
    await bareFfmpeg(['-f', 'lavfi', '-i', nothing, '-frames:v', '1', clear]);
    const output = await encodeOne(clear, format, { name: 'image' });
    expect(Math.abs((await meanBrightness(output.path)) - expected)).toBeLessThan(20);
  });

  it.each([
    ['png', 'rgba'],
    ['png', 'ya8'],
    ['png', 'rgba64be'],
    ['webp', 'rgba'],
  ] as const)('keeps invisible black out of the edge of a smaller logo: %s from %s', async (format, pixels) => {
    const logo = join(await aTemporaryFolder(), 'logo.png');
    const half = '255*lt(X,50)';
    const white = `color=black@0:size=100x40,format=rgba,geq=r='${half}':g='${half}':b='${half}':a='${half}'`;
    await bareFfmpeg(['-f', 'lavfi', '-i', `${white},format=${pixels}`, '-frames:v', '1', logo]);
    const { path } = await encodeOne(logo, format, { name: 'image', width: 30 });
    const found = await bareFfmpegOutput(['-i', path, '-f', 'rawvideo', '-pix_fmt', 'rgba', '-']);
    // The last visible column holds a bit of an invisible one.
    const [red, green, blue, alpha] = found.subarray(14 * 4);
    for (const channel of [red, green, blue]) expect(channel).toBeGreaterThan(250);
    expect(alpha).toBeLessThan(250);
  });

  it.each([
    ['PQ', 'bt2020:color_trc=smpte2084:colorspace=bt2020nc'],
    ['P3', 'smpte432:color_trc=iec61966-2-1:colorspace=smpte170m'],
  ])('keeps the transparency of %s, and the color of a background', async (_, colors) => {
    const source = await generatedFile('transparent.avif', [
      ...['-f', 'lavfi', '-i', `color=gray:size=64x64,format=yuv444p,setparams=range=tv:color_primaries=${colors}`],
      ...['-f', 'lavfi', '-i', "color=black:size=64x64,format=gray,geq='255*gte(X,32)',setrange=pc"],
      ...'-map 0 -map 1 -c:v libaom-av1 -still-picture 1 -frames:v 1 -crf 0'.split(' '),
    ]);
    const pixels = async (format: 'png' | 'jpg', background?: string) => {
      const { path } = await encodeOne(source, format, { name: 'image', ...(background && { background }) });
      const found = await bareFfmpegOutput(['-i', path, '-f', 'rawvideo', '-pix_fmt', 'rgba', '-']);
      return [8, 56].map((x) => [...found.subarray(4 * x, 4 * x + 4)]);
    };
    expect((await pixels('png')).map(([, , , alpha]) => alpha)).toEqual([0, 255]);
    const [behind] = await pixels('jpg', '#40c040');
    for (const [channel, value] of [64, 192, 64, 255].entries())
      expect(Math.abs((behind?.[channel] ?? 0) - value)).toBeLessThan(4);
  });

  it('rejects a video and names the recipe to use', async () => {
    await expect(encodeOne(await clipWith(), 'jpg', { name: 'image' })).rejects.toThrow('recipe thumbnail');
  });
});
