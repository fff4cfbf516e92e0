import { expect, it } from 'vitest';
import type { Format } from '../../core/media/formats.ts';
import { encodeBothWays } from '../builders/chunking/encode-both-ways.ts';
import { expectSinglePassFile } from '../builders/chunking/expect-single-pass-file.ts';
import { bareFfprobe } from '../builders/media/bare-ffmpeg.ts';
import { generatedFile } from '../builders/media/generated-file.ts';
import { type encode, encodeOne } from '../builders/recipes/encode.ts';

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
