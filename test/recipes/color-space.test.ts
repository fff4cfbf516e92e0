import { describe, expect, it } from 'vitest';
import type { Format } from '../../core/media/formats.ts';
import { decodeFrameAt } from '../builders/measure/frame-at.ts';
import { bareFfmpeg, bareFfprobe } from '../builders/media/bare-ffmpeg.ts';
import { cachedFile } from '../builders/media/cached-file.ts';
import { type ColourClip, colour, colourClip } from '../builders/media/colour-clips.ts';
import { encode, encodeOne } from '../builders/recipes/encode.ts';

/** What is lost by rounding and by encoding; a wrong matrix or range is 15 and more. */
const unseen = 8;

async function expectSameColour(path: string): Promise<void> {
  const found = (await decodeFrameAt(path, 0)).colour(20, 20);
  for (const [index, value] of colour.entries()) {
    expect(Math.abs((found[index] ?? 0) - value), `${found}`).toBeLessThan(unseen);
  }
}

describe.each<[string, ColourClip]>([
  ['tagged as BT.709', 'tagged'],
  ['whose file does not say', 'untagged'],
  ['of full range', 'fullRange'],
  ['of RGB', 'rgb'],
])('colors in HD %s', (_, kind) => {
  it.each<Format>(['jpg', 'webp', 'png'])('are the same in a %s', async (format) => {
    const output = await encodeOne(await colourClip(kind), format, { name: 'thumbnail', at: 0 });
    await expectSameColour(output.path);
  });

  it.each<Format>(['jpg', 'webp'])('are the same in a sprite sheet, as %s', async (format) => {
    const recipe = { name: 'sprite', every: 1, columns: 1, rows: 1 } as const;
    const [sheet] = await encode(await colourClip(kind), format, recipe);
    await expectSameColour(sheet?.path ?? '');
  });

  it('are the same in a gif', async () => {
    await expectSameColour((await encodeOne(await colourClip(kind), 'gif', { name: 'gif' })).path);
  });

  it.each([
    ['also where it becomes so small that players would take others', 320],
    ['where its size stays', 1280],
  ])('are the same in a video, %s', async (_how, maxWidth) => {
    const recipe = { name: 'compress', maxWidth } as const;
    const { path, probe } = await encodeOne(await colourClip(kind), 'mp4', recipe);
    expect(probe.streams).toMatchObject([{ colorMatrix: 'bt709' }]);
    expect(probe.streams[0]).toMatchObject({ isFullRange: undefined });
    await expectSameColour(path);
  });
});

it('full-range colors are the same in each rendition and in a joined video', async () => {
  const source = await colourClip('fullRange');
  const sizes = await encode(source, 'mp4', { name: 'renditions', heights: [720, 144] });
  const joined = await encodeOne({ inputs: [source, source] }, 'mp4', { name: 'concat' });
  for (const { path } of [...sizes, joined]) await expectSameColour(path);
});

it('an HDR video converted to SDR has no HDR metadata', async () => {
  const lights =
    'master-display=G(13250,34500)B(7500,3000)R(34000,16000)WP(15635,16450)L(10000000,1):max-cll=1000,400';
  const tags = 'log-level=error:colorprim=bt2020:transfer=smpte2084:colormatrix=bt2020nc';
  const args = ['-f', 'lavfi', '-i', 'testsrc2=size=160x90:rate=5:duration=1', '-pix_fmt', 'yuv420p10le'];
  const encoder = ['-c:v', 'libx265', '-preset', 'ultrafast', '-x265-params', `${tags}:${lights}`];
  const source = await cachedFile({ name: 'lights.mp4', recipe: [args, encoder] }, (path) =>
    bareFfmpeg(['-v', 'error', ...args, ...encoder, path]),
  );
  const { path } = await encodeOne(source, 'mp4', { name: 'transcode', codec: 'h265' });
  const said = (file: string) => bareFfprobe(['-show_entries', 'frame_side_data=side_data_type', file]);
  expect((await said(source)).join()).toContain('Mastering display');
  expect((await said(path)).join()).not.toMatch(/Mastering display|Content light level/);
});
