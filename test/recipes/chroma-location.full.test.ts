// @module-tag nightly
// @module-tag color
import type { Format } from '@media-jobs/video/media';
import { bareFfprobe, chromaShift, type encode, encodeOne, generatedFile, patchClip } from '@media-jobs/video/testing';
import { expect, it } from 'vitest';
import { encodeBothWays } from '../builders/chunking/encode-both-ways.ts';
import { expectSinglePassFile } from '../builders/chunking/expect-single-pass-file.ts';

/** HDR10 in H.265. Chroma samples of 4:2:0 in BT.2020 are at the top left (BT.2100), those of older video at the left. */
function hdrClip(location: 'topleft' | 'left', seconds = 1): Promise<string> {
  const tags = 'colorprim=bt2020:transfer=smpte2084:colormatrix=bt2020nc:log-level=error';
  return generatedFile(`hdr-${location}-${seconds}.mp4`, [
    ...['-f', 'lavfi', '-i', `testsrc2=size=320x180:rate=25:duration=${seconds}`, '-pix_fmt', 'yuv420p10le'],
    ...['-c:v', 'libx265', '-preset', 'ultrafast', '-tag:v', 'hvc1'],
    ...['-x265-params', `${tags}:chromaloc=${location === 'topleft' ? 2 : 0}`],
  ]);
}

async function locationOf(path: string): Promise<string | undefined> {
  const entry = ['-select_streams', 'v:0', '-show_entries', 'stream=chroma_location', '-of', 'csv=p=0'];
  const [location] = await bareFfprobe([...entry, path]);
  return location?.replace(/,.*/, '');
}

it.each<[Format, Parameters<typeof encode>[2]]>([
  ['mp4', { name: 'remux' }],
  ['mkv', { name: 'remux' }],
  ['mov', { name: 'mute' }],
  ['mp4', { name: 'clip', accuracy: 'keyframe' }],
  ['mp4', { name: 'hdr-to-sdr' }],
  ['mp4', { name: 'transcode', codec: 'h265', preset: 'ultrafast' }],
  ['mp4', { name: 'transcode', codec: 'av1', preset: 'ultrafast' }],
])('the location of the chroma samples is kept: %s, %o', async (format, recipe) => {
  for (const location of ['topleft', 'left'] as const) {
    const { path } = await encodeOne(await hdrClip(location), format, recipe);
    expect(await locationOf(path)).toBe(location);
  }
});

it('the chroma samples of joined videos are at the left', async () => {
  const inputs = [await hdrClip('topleft'), await hdrClip('left')] as const;
  const { path } = await encodeOne({ inputs: [...inputs] }, 'mp4', { name: 'concat' });
  expect(await locationOf(path)).toBe('left');
});

it('chunks of joined videos have one decoder configuration, whatever the locations of their chroma samples', async () => {
  const inputs = [await hdrClip('left', 4), await hdrClip('topleft', 4)] as const;
  await expectSinglePassFile(await encodeBothWays(inputs, 'mp4', { name: 'concat' }));
});

const h264 = ['-c:v', 'libx264', '-qp', '0'];
const hdr10 = 'lossless=1:log-level=error:chromaloc=2:colorprim=bt2020:transfer=smpte2084:colormatrix=bt2020nc';
const h265 = ['-c:v', 'libx265', '-x265-params', hdr10, '-tag:v', 'hvc1'];
const patches = {
  '4:2:0': () => patchClip('patch-420.mp4', 'yuv420p', 'left', h264),
  '4:2:0 in the center': () =>
    patchClip('patch-center.mp4', 'yuv420p', 'center', [...h264, '-x264-params', 'chromaloc=1']),
  '4:2:2': () => patchClip('patch-422.mp4', 'yuv422p', 'left', h264),
  '4:4:4': () => patchClip('patch-444.mp4', 'yuv444p', 'left', h264),
  RGB: () => patchClip('patch-rgb.mkv', 'yuv444p', 'left', ['-pix_fmt', 'gbrp', '-c:v', 'ffv1']),
  HDR10: () => patchClip('patch-hdr10.mp4', 'yuv420p10le', 'topleft', h265),
} as const;

async function turned(path: string, degrees: number): Promise<string> {
  const options = ['-display_rotation', `${-degrees}`, '-i', path, '-c', 'copy'];
  return await generatedFile(`patch-turned-${degrees}.mp4`, options);
}

async function expectUnshiftedColors(source: string, recipe: Parameters<typeof encode>[2], width: number) {
  const { path } = await encodeOne(source, 'mp4', recipe);
  const location = await locationOf(path);
  if (location !== 'left' && location !== 'topleft' && location !== 'center') expect.unreachable(location);
  const { right, down } = await chromaShift(path, { width, location });
  expect(Math.abs(right)).toBeLessThan(0.08);
  expect(Math.abs(down)).toBeLessThan(0.08);
}

it.each(Object.keys(patches) as (keyof typeof patches)[])('colors stay in place in a smaller one: %s', async (name) => {
  const source = await patches[name]();
  await expectUnshiftedColors(source, { name: 'compress', crf: 18, maxWidth: 64 }, 64);
  await expectUnshiftedColors(source, { name: 'concat', width: 64, height: 64 }, 64);
});

it.each(['4:2:2', '4:4:4', 'RGB', 'HDR10'] as const)('colors stay in place at the same size: %s', async (name) =>
  expectUnshiftedColors(await patches[name](), { name: 'transcode', codec: 'h265', crf: 10 }, 128),
);

it('colors stay where they are in SD enlarged to HD, whose matrix is converted', async () => {
  await expectUnshiftedColors(await patches['4:2:0'](), { name: 'resize', width: 640 }, 640);
});

it.each([90, 180, 270])('colors stay in place in a smaller video that is turned by %i degrees', async (degrees) => {
  const source = await turned(await patches['4:2:0'](), degrees);
  await expectUnshiftedColors(source, { name: 'compress', crf: 18, maxWidth: 64 }, 64);
});
