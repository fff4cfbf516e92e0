// @module-tag sources
// @module-tag color
import { expect, it } from 'vitest';
import { ssim } from '../builders/measure/measure-video.ts';
import { bareFfmpegOutput } from '../builders/media/bare-ffmpeg.ts';
import { generatedFile } from '../builders/media/generated-file.ts';
import { encodeOne } from '../builders/recipes/encode.ts';

const pattern = ['-f', 'lavfi', '-i', 'testsrc2=size=160x90:rate=5:duration=1'];

const opaque = () => generatedFile('opaque.avi', [...pattern, '-pix_fmt', 'bgr24', '-c:v', 'rawvideo']);

/** RGB of 32 bits per pixel, whose fourth byte is 0, as Windows programs write it. */
const rgb32 = () =>
  generatedFile('rgb32.avi', [...[...pattern, '-vf', 'format=bgra,colorchannelmixer=aa=0', '-c:v', 'rawvideo']]);

it('uncompressed AVI of 32 bits is opaque', async () => {
  const { path } = await encodeOne(await rgb32(), 'mp4', { name: 'compress', crf: 4 });
  expect(await ssim({ path }, { path: await opaque() })).toBeGreaterThan(0.9);
});

it.each(['png', 'webp'] as const)('so is a %s of its frames', async (format) => {
  const { path } = await encodeOne(await rgb32(), format, { name: 'thumbnail', at: 0 });
  expect(await ssim({ path }, { path: await opaque(), filters: 'trim=end_frame=1' })).toBeGreaterThan(0.9);
  const pixels = await bareFfmpegOutput(['-i', path, '-vf', 'format=rgba', '-f', 'rawvideo', '-']);
  expect(pixels.filter((_, index) => index % 4 === 3).every((alpha) => alpha === 255)).toBe(true);
});

it('uncompressed MOV of 32 bits keeps its transparency', async () => {
  const sticker = ['-vf', 'format=argb,colorchannelmixer=aa=0', '-c:v', 'rawvideo'];
  const source = await generatedFile('argb.mov', [...pattern, ...sticker]);
  const { path } = await encodeOne(source, 'png', { name: 'thumbnail', at: 0 });
  const pixels = await bareFfmpegOutput(['-i', path, '-f', 'rawvideo', '-pix_fmt', 'rgba', '-']);
  expect(pixels[3]).toBe(0);
});
