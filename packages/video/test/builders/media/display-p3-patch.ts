import { readFile, writeFile } from 'node:fs/promises';
import { bareFfmpeg, bareFfmpegOutput } from './bare-ffmpeg.ts';
import { cachedFile } from './cached-file.ts';
import { displayP3Profile, withIccProfile } from './icc-profile.ts';

type Rgb = [number, number, number];

/** The patch in Display P3, 0 to 255, and the same color in sRGB by the primaries of both under D65. */
export const p3Patch: Rgb = [200, 100, 80];
export const p3PatchInSrgb: Rgb = [214, 93, 72];

/** An image of one color with a profile of Display P3, made on first use. */
export function displayP3Patch(format: 'png' | 'jpg' | 'tiff' | 'webp'): Promise<string> {
  return cachedFile({ name: `p3.${format}`, recipe: ['display-p3', p3Patch] }, async (path) => {
    const color = p3Patch.map((value) => value.toString(16).padStart(2, '0')).join('');
    const png = `${path}.png`;
    const source = ['-f', 'lavfi', '-i', `color=0x${color}:size=65x49,format=rgb24`];
    await bareFfmpeg([...source, '-frames:v', '1', png]);
    await writeFile(png, withIccProfile(await readFile(png), displayP3Profile()));
    const quality = format === 'jpg' ? ['-q:v', '1', '-pix_fmt', 'yuvj444p'] : [];
    await bareFfmpeg(['-i', png, ...quality, path]);
  });
}

/** The decoded RGB of the middle of an image, 0 to 255, without its profile. */
export async function colorOf(path: string): Promise<Rgb> {
  const raw = ['-i', path, '-frames:v', '1', '-vf', 'format=rgb24,crop=1:1', '-f', 'rawvideo', '-'];
  const [red = 0, green = 0, blue = 0] = await bareFfmpegOutput(raw);
  return [red, green, blue];
}
