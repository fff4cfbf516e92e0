// @module-tag images
// @module-tag geometry
import { join } from 'node:path';
import { aTemporaryFolder } from '@media-jobs/testing/temporary-folder';
import { describe, expect, it } from 'vitest';
import { ssim } from '../builders/measure/measure-video.ts';
import { bareFfmpeg } from '../builders/media/bare-ffmpeg.ts';
import { clipWith } from '../builders/media/clips.ts';
import { orientedImage } from '../builders/media/oriented-image.ts';
import { encodeOne } from '../builders/recipes/encode.ts';

const turns = {
  1: 'null',
  2: 'hflip',
  3: 'hflip,vflip',
  4: 'vflip',
  5: 'transpose=cclock_flip',
  6: 'transpose=clock',
  7: 'transpose=clock_flip',
  8: 'transpose=cclock',
};

/** The likeness of an image to the test pattern after this turn. */
async function likeness(path: string, turn: string): Promise<number> {
  const expected = join(await aTemporaryFolder(), 'expected.png');
  await bareFfmpeg(['-f', 'lavfi', '-i', 'testsrc2=size=64x32', '-frames:v', '1', '-vf', turn, expected]);
  // WebP has fewer chroma samples.
  const filters = 'format=gray';
  return ssim({ path, filters }, { path: expected, filters });
}

describe('an image with an EXIF orientation', () => {
  it.each(Object.entries(turns))('%s is upright after %s', async (orientation, turn) => {
    const source = await orientedImage('png', Number(orientation));
    const { path } = await encodeOne(source, 'png', { name: 'image' });
    expect(await likeness(path, turn)).toBeGreaterThan(0.95);
  });

  it.each(['png', 'webp', 'tiff', 'jpg'] as const)('in %s has the displayed size', async (format) => {
    const source = await orientedImage(format, 6);
    const { path, probe } = await encodeOne(source, 'png', { name: 'image', width: 32 });
    expect(probe.streams).toMatchObject([{ width: 32, height: 64, rotation: 0 }]);
    expect(await likeness(path, turns[6])).toBeGreaterThan(0.9);
  });

  it('is upright in a thumbnail', async () => {
    const { path } = await encodeOne(await orientedImage('webp', 8), 'png', { name: 'thumbnail' });
    expect(await likeness(path, turns[8])).toBeGreaterThan(0.95);
  });

  it('is upright as a watermark', async () => {
    const files = { inputs: [await clipWith()], assets: { image: await orientedImage('png', 6) } } as const;
    const mark = {
      image: 'https://example.com/logo.png',
      position: 'top-left',
      scale: 0.1,
      margin: 0,
    } as const;
    const { path } = await encodeOne(files, 'mp4', { name: 'watermark', ...mark });
    const shown = join(await aTemporaryFolder(), 'shown.png');
    await bareFfmpeg(['-i', path, '-frames:v', '1', '-vf', 'crop=32:64:0:0', shown]);
    expect(await likeness(shown, `${turns[6]},scale=32:64`)).toBeGreaterThan(0.8);
  });
});
