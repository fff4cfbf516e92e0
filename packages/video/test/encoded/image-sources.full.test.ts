// @module-tag nightly
// @module-tag images
// @module-tag sources
import { copyFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { aTemporaryFolder } from '@media-jobs/testing/temporary-folder';
import { describe, expect, it } from 'vitest';
import { deltaE2000 } from '../builders/measure/delta-e.ts';
import { decodeFrameAt } from '../builders/measure/frame-at.ts';
import { ssim } from '../builders/measure/measure-video.ts';
import { bareFfmpeg, bareFfmpegOutput } from '../builders/media/bare-ffmpeg.ts';
import { colorOf, displayP3Patch, p3Patch, p3PatchInSrgb } from '../builders/media/display-p3-patch.ts';
import { heicPhoto } from '../builders/media/heic-photo.ts';
import { displayP3Profile } from '../builders/media/icc-profile.ts';
import { encodeOne } from '../builders/recipes/encode.ts';

const pattern = ['-f', 'lavfi', '-i', 'testsrc2=size=300x200'];

const patchOf = (color: string, filters = '') => ({
  source: ['-f', 'lavfi', '-i', `color=0x${color}:size=300x200,format=rgb24${filters}`],
  width: 300,
  height: 200,
});

describe('a patch in Display P3', () => {
  it.each([
    ['png', 'png'],
    ['png', 'jpg'],
    ['jpg', 'jpg'],
    ['jpg', 'png'],
  ] as const)('from %s keeps its values and its profile in %s', async (from, to) => {
    const { path } = await encodeOne(await displayP3Patch(from), to, { name: 'image', width: 64 });
    expect(deltaE2000(await colorOf(path), p3Patch)).toBeLessThan(2);
    const profile = join(await aTemporaryFolder(), 'profile.png');
    await bareFfmpeg(['-i', path, '-pix_fmt', 'rgb24', profile]);
    expect((await readFile(profile)).includes('iCCP')).toBe(true);
  });

  it.each([
    ['png', 'webp'],
    ['jpg', 'webp'],
    ['png', 'avif'],
    ['jpg', 'avif'],
  ] as const)('from %s is the same color in sRGB in %s', async (from, to) => {
    const { path } = await encodeOne(await displayP3Patch(from), to, { name: 'image', width: 64 });
    expect(deltaE2000(await colorOf(path), p3PatchInSrgb)).toBeLessThan(2);
  });
});

describe('HEIC with tiles, as from a phone', () => {
  it.each([0, 1, 3] as const)('is one upright image after %i quarter turns', async (quarterTurns) => {
    const source = await heicPhoto({ source: pattern, width: 300, height: 200, quarterTurns });
    const { path, probe } = await encodeOne(source, 'png', { name: 'image' });
    const [width, height] = quarterTurns === 0 ? [300, 200] : [200, 300];
    expect(probe.streams).toMatchObject([{ width, height }]);
    const expected = join(await aTemporaryFolder(), 'expected.png');
    const turn = { 0: 'null', 1: 'transpose=cclock', 3: 'transpose=clock' }[quarterTurns];
    await bareFfmpeg([...pattern, '-frames:v', '1', '-vf', turn, expected]);
    expect(await ssim({ path }, { path: expected })).toBeGreaterThan(0.95);
  });

  it('is cropped as it declares, before its rotation', async () => {
    const crop = [101, 121, -20.5, 10.5] as const;
    const box = 'color=black:size=300x200,format=rgb24,drawbox=79:50:101:121:white:fill';
    const made = await heicPhoto({
      source: ['-f', 'lavfi', '-i', box],
      width: 300,
      height: 200,
      quarterTurns: 3,
      crop,
    });
    // The probe changes the file.
    const source = join(await aTemporaryFolder(), 'photo.heic');
    await copyFile(made, source);
    for (const _ of ['first attempt', 'retry']) {
      const { path, probe } = await encodeOne(source, 'png', { name: 'image' });
      expect(probe.streams).toMatchObject([{ width: 121, height: 101 }]);
      const frame = await decodeFrameAt(path, 0);
      const corners = [0, 120].flatMap((x) => [0, 100].map((y) => frame.colour(x, y)[1]));
      for (const green of corners) expect(green).toBeGreaterThan(200);
    }
  });

  it('is converted from its profile to sRGB', async () => {
    const color = p3Patch.map((value) => value.toString(16).padStart(2, '0')).join('');
    const patch = ['-f', 'lavfi', '-i', `color=0x${color}:size=300x200,format=rgb24`];
    const source = await heicPhoto({ source: patch, width: 300, height: 200, profile: displayP3Profile() });
    const { path } = await encodeOne(source, 'jpg', { name: 'image' });
    expect(deltaE2000(await colorOf(path), p3PatchInSrgb)).toBeLessThan(2);
  });

  it.each(['jpg', 'png', 'webp', 'avif'] as const)(
    'is converted to sRGB in %s from the primaries of P3 that it declares',
    async (format) => {
      const source = await heicPhoto({ ...patchOf('c86450'), colors: [12, 13, 6, false] });
      const { path } = await encodeOne(source, format, { name: 'image' });
      expect(deltaE2000(await colorOf(path), p3PatchInSrgb)).toBeLessThan(3);
    },
  );

  it.each([
    ['PQ of limited range', 16, false, 148],
    ['PQ of full range', 16, true, 148],
    ['HLG', 18, false, 191],
  ] as const)('is tone mapped from %s: reference white is white', async (_, transfer, isFullRange, white) => {
    const grey = white.toString(16).repeat(3);
    const patch = patchOf(grey, isFullRange ? ',scale=out_range=pc,format=yuv420p,setparams=range=tv' : '');
    const source = await heicPhoto({ ...patch, colors: [9, transfer, 9, isFullRange] });
    const { path } = await encodeOne(source, 'png', { name: 'image' });
    for (const channel of await colorOf(path)) expect(channel / 255).toBeGreaterThan(0.8);
    for (const channel of await colorOf(path)) expect(channel / 255).toBeLessThan(0.88);
  });

  it('is rejected by other recipes, with the recipe to use', async () => {
    const source = await heicPhoto({ source: pattern, width: 300, height: 200 });
    await expect(encodeOne(source, 'jpg', { name: 'thumbnail' })).rejects.toThrow('recipe image');
  });
});

describe('other formats', () => {
  it.each(['tiff', 'bmp', 'avif', 'webp'] as const)('%s is an input', async (format) => {
    const still = join(await aTemporaryFolder(), `in.${format}`);
    await bareFfmpeg([
      ...pattern,
      '-frames:v',
      '1',
      ...(format === 'avif' ? ['-c:v', 'libaom-av1', '-still-picture', '1'] : []),
      still,
    ]);
    const { path, probe } = await encodeOne(still, 'png', { name: 'image' });
    expect(probe.streams).toMatchObject([{ width: 300, height: 200 }]);
    expect(await ssim({ path }, { path: still })).toBeGreaterThan(0.9);
  });

  it.each(['webp', 'avif', 'png'] as const)('transparency survives from png to %s and back', async (format) => {
    const directory = await aTemporaryFolder();
    const clear = join(directory, 'clear.png');
    const ramp = "geq=r=200:g=100:b=50:a='255*X/W'";
    await bareFfmpeg(['-f', 'lavfi', '-i', `color=black:size=257x63,format=rgba,${ramp}`, '-frames:v', '1', clear]);
    const there = await encodeOne(clear, format, { name: 'image' });
    const back = await encodeOne(there.path, 'png', { name: 'image' });
    const raw = ['-i', back.path, ...'-vf format=rgba,alphaextract -f rawvideo -pix_fmt gray -'.split(' ')];
    const alpha = await bareFfmpegOutput(raw);
    for (const x of [0, 64, 128, 192, 256])
      expect(Math.abs((alpha[31 * 257 + x] ?? 0) - (255 * x) / 257)).toBeLessThan(8);
  });
});

it('a JPEG with a gain map after it, as from a phone, is the first image', async () => {
  const directory = await aTemporaryFolder();
  const photo = join(directory, 'photo.jpg');
  const gainMap = join(directory, 'gain-map.jpg');
  const path = join(directory, 'input');
  await bareFfmpeg([...pattern, '-frames:v', '1', photo]);
  await bareFfmpeg(['-f', 'lavfi', '-i', 'color=gray:size=64x48', '-frames:v', '1', gainMap]);
  await writeFile(path, Buffer.concat([await readFile(photo), await readFile(gainMap)]));
  for (const format of ['png', 'webp'] as const) {
    const { path: output, probe } = await encodeOne(path, format, { name: 'image' });
    expect(probe.streams).toMatchObject([{ width: 300, height: 200 }]);
    expect(await ssim({ path: output }, { path: photo })).toBeGreaterThan(0.95);
  }
});
