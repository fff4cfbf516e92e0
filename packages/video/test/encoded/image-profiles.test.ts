// @module-tag images
// @module-tag color
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { aTemporaryFolder } from '@media-jobs/testing/temporary-folder';
import { describe, expect, it } from 'vitest';
import { bareFfmpeg } from '../builders/media/bare-ffmpeg.ts';
import { cmykImages } from '../builders/media/cmyk-image.ts';
import { colorOf } from '../builders/media/display-p3-patch.ts';
import { headerProfile, withIccProfile } from '../builders/media/icc-profile.ts';
import { encodeOne } from '../builders/recipes/encode.ts';

async function hasProfile(path: string): Promise<boolean> {
  return /ICC_PROFILE|iCCP/.test((await readFile(path)).toString('latin1'));
}

describe.each(['jpg', 'tiff'] as const)('the color profile of CMYK in %s', (from) => {
  it.each(['jpg', 'png'] as const)('is left out of %s, which is RGB', async (to) => {
    const source = join(await aTemporaryFolder(), `cmyk.${from}`);
    await writeFile(source, cmykImages[from]());
    const { path } = await encodeOne(source, to, { name: 'image' });
    const [red, green, blue] = await colorOf(path);
    expect(Math.max(Math.abs(red - 255), Math.abs(green - 64), Math.abs(blue - 64))).toBeLessThan(8);
    expect(await hasProfile(path)).toBe(false);
  });
});

it.each([
  ['gray', 'png', true],
  ['ya8', 'png', true],
  ['gray', 'jpg', false],
  ['ya8', 'jpg', false],
] as const)('the color profile of gray of %s in %s is kept if that is gray: %s', async (pixelFormat, to, isKept) => {
  const source = join(await aTemporaryFolder(), 'gray.png');
  const gray = ['-f', 'lavfi', '-i', 'color=gray:size=40x30', '-pix_fmt', pixelFormat];
  await bareFfmpeg([...gray, '-frames:v', '1', source]);
  await writeFile(source, withIccProfile(await readFile(source), headerProfile('GRAY')));
  const { path, probe } = await encodeOne(source, to, { name: 'image' });
  expect(await hasProfile(path)).toBe(isKept);
  expect(probe.streams[0]).toMatchObject({ pixelFormat: isKept ? pixelFormat : 'yuvj420p' });
});
