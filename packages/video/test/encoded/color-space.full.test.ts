// @module-tag color
// @module-tag images
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { aTemporaryFolder } from '@media-jobs/testing/temporary-folder';
import { describe, expect, it } from 'vitest';
import type * as z from 'zod';
import type { Format } from '../../src/media/formats.ts';
import type { recipeRequestSchema } from '../../src/recipes/registry.ts';
import { decodeFrameAt } from '../builders/measure/frame-at.ts';
import { bareFfmpeg, bareFfprobe } from '../builders/media/bare-ffmpeg.ts';
import { cachedFile } from '../builders/media/cached-file.ts';
import { type ColourClip, colour, colourClip, wideGamutClips } from '../builders/media/colour-clips.ts';
import { generatedFile } from '../builders/media/generated-file.ts';
import { encode, encodeOne } from '../builders/recipes/encode.ts';

type RecipeRequest = z.input<typeof recipeRequestSchema>;

/** Tolerance for rounding and encoding. A wrong matrix or range differs by 15 or more. */
const unseen = 8;

async function expectSameColour(path: string, expected: readonly number[] = colour): Promise<void> {
  const found = (await decodeFrameAt(path, 0)).colour(20, 20);
  for (const [index, value] of expected.entries()) {
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

describe.each(['bt2020', 'displayP3'] as const)('SDR of a wide gamut, %s,', (kind) => {
  const { stored, shown } = wideGamutClips[kind];

  it.each<[Format, RecipeRequest]>([
    ['jpg', { name: 'thumbnail', at: 0 }],
    ['webp', { name: 'thumbnail', at: 0 }],
    ['png', { name: 'thumbnail', at: 0 }],
    ['png', { name: 'sprite', every: 1, columns: 1, rows: 1 }],
    ['gif', { name: 'gif' }],
  ])('has the same colors in a %s of %o', async (format, recipe) => {
    const [{ path } = { path: '' }] = await encode(await colourClip(kind), format, recipe);
    await expectSameColour(path, shown);
  });

  it('has the same colors in a joined video, which is BT.709', async () => {
    const source = await colourClip(kind);
    const { path } = await encodeOne({ inputs: [source, source] }, 'mp4', { name: 'concat' });
    await expectSameColour(path, shown);
    expect(Object.values(await tagsOf(path))).toEqual(['tv', 'bt709', 'bt709', 'bt709']);
  });

  it('keeps its values and its tags in a video', async () => {
    const source = await colourClip(kind);
    const { path } = await encodeOne(source, 'mp4', { name: 'compress' });
    await expectSameColour(path, stored);
    expect(await tagsOf(path)).toEqual(await tagsOf(source));
  });
});

it('a transparent video of a wide gamut keeps its transparency and its colors in a PNG', async () => {
  const tags = 'setparams=color_primaries=smpte432:color_trc=iec61966-2-1:colorspace=bt709:range=tv';
  const source = await generatedFile('clear-p3.mov', [
    ...['-f', 'lavfi', '-i', 'color=0xc86450@0.5:size=65x49:rate=5:duration=1,format=rgba'],
    ...['-vf', `scale=out_color_matrix=bt709:out_range=tv,format=yuva444p10le,${tags}`],
    ...['-c:v', 'prores_ks', '-profile:v', '4'],
  ]);
  const { path, probe } = await encodeOne(source, 'png', { name: 'thumbnail', at: 0 });
  expect(probe.streams[0]).toMatchObject({ pixelFormat: 'rgba' });
  await expectSameColour(path, wideGamutClips.displayP3.shown);
});

/** The names of the chunks of a PNG before its pixels. */
async function chunksOf(path: string): Promise<string[]> {
  const [head = ''] = (await readFile(path)).toString('latin1').split('IDAT');
  return ['cICP', 'sRGB', 'iCCP', 'cHRM', 'gAMA'].filter((name) => head.includes(name));
}

it.each<ColourClip>(['tagged', 'untagged', 'sdTagged', 'bt2020', 'displayP3', 'rgb'])(
  'a PNG of %s has the gamma of images, as a JPEG',
  async (kind) => {
    const source = await colourClip(kind);
    const { path } = await encodeOne(source, 'png', { name: 'thumbnail', at: 0 });
    const [sheet] = await encode(source, 'png', { name: 'contact-sheet' });
    for (const png of [path, sheet?.path ?? '']) {
      expect(await chunksOf(png)).toContain('gAMA');
      const { color_transfer: transfer } = await tagsOf(png);
      expect(transfer).toBe('iec61966-2-1');
    }
  },
);

/** The colors in a player that ignores tags and decodes every HD video as BT.709. */
async function expectSameColourByPlayersOfHd(path: string): Promise<void> {
  const asHd = ['-vf', 'setparams=colorspace=bt709:range=tv', '-c:v', 'libx264', '-crf', '4'];
  const assumed = join(await aTemporaryFolder(), 'assumed.mp4');
  await bareFfmpeg(['-v', 'error', '-i', path, ...asHd, assumed]);
  await expectSameColour(assumed);
}

describe('standard definition', () => {
  it.each(['sd', 'sdTagged'] as const)('enlarged to HD is BT.709: %s', async (kind) => {
    const recipe = { name: 'resize', width: 1280 } as const;
    const { path } = await encodeOne(await colourClip(kind), 'mp4', recipe);
    await expectSameColour(path);
    await expectSameColourByPlayersOfHd(path);
    expect(await tagsOf(path)).toMatchObject({ color_space: 'bt709' });
  });

  it.each([
    ['sd', { color_space: 'bt470bg', color_primaries: 'bt470bg', color_transfer: 'bt709' }],
    ['sdTagged', { color_space: 'smpte170m', color_primaries: 'smpte170m', color_transfer: 'smpte170m' }],
  ] as const)('of the same size keeps its colors: %s', async (kind, tags) => {
    const { path } = await encodeOne(await colourClip(kind), 'mp4', { name: 'compress' });
    await expectSameColour(path);
    expect(await tagsOf(path)).toEqual({ color_range: 'tv', ...tags });
  });
});

describe('the tags of a video', () => {
  it.each<ColourClip>(['tagged', 'untagged', 'fullRange', 'rgb'])('of %s are complete', async (kind) => {
    const complete = { color_range: 'tv', color_space: 'bt709', color_primaries: 'bt709', color_transfer: 'bt709' };
    const source = await colourClip(kind);
    const codecs = [
      ['mp4', 'h264'],
      ['mov', 'h265'],
      ['webm', 'vp9'],
      ['mkv', 'av1'],
    ] as const;
    for (const [format, codec] of codecs) {
      const { path } = await encodeOne(source, format, { name: 'transcode', codec });
      expect(await tagsOf(path), codec).toEqual(complete);
    }
  });

  it('of each rendition and of a joined video are complete', async () => {
    const source = await colourClip('untagged');
    const sizes = await encode(source, 'mp4', { name: 'renditions', heights: [720, 144] });
    const joined = await encodeOne({ inputs: [source, source] }, 'mp4', { name: 'concat' });
    for (const { path } of [...sizes, joined]) {
      expect(Object.values(await tagsOf(path))).toEqual(['tv', 'bt709', 'bt709', 'bt709']);
    }
  });
});

describe('a transparent video', () => {
  const clear = () =>
    generatedFile('clear.mov', [
      ...['-f', 'lavfi', '-i', 'color=red@0:size=64x64:rate=5:duration=1,format=rgba'],
      ...['-c:v', 'qtrle'],
    ]);

  it.each([
    ['white', {}, [255, 255, 255]],
    ['the given color', { background: '#2040c0' }, [32, 64, 192]],
  ] as const)('is shown on %s', async (_what, background, color) => {
    const { path } = await encodeOne(await clear(), 'mp4', { name: 'transcode', crf: 10, ...background });
    const found = (await decodeFrameAt(path, 0)).colour(32, 32);
    for (const [index, value] of color.entries()) {
      expect(Math.abs((found[index] ?? 0) - value), `${found}`).toBeLessThan(unseen);
    }
  });

  it('is shown on white in a JPEG and stays transparent in a PNG', async () => {
    const jpg = await encodeOne(await clear(), 'jpg', { name: 'thumbnail', at: 0 });
    expect((await decodeFrameAt(jpg.path, 0)).colour(32, 32)).toEqual([255, 255, 255]);
    const png = await encodeOne(await clear(), 'png', { name: 'thumbnail', at: 0 });
    expect(png.probe.streams[0]).toMatchObject({ pixelFormat: 'rgba' });
  });
});

it('full-range colors are the same in each rendition and in a joined video', async () => {
  const source = await colourClip('fullRange');
  const sizes = await encode(source, 'mp4', { name: 'renditions', heights: [720, 144] });
  const joined = await encodeOne({ inputs: [source, source] }, 'mp4', { name: 'concat' });
  for (const { path } of [...sizes, joined]) await expectSameColour(path);
});

async function tagsOf(path: string): Promise<Record<string, string>> {
  const entries = 'stream=color_range,color_space,color_primaries,color_transfer';
  const shown = ['-select_streams', 'v:0', '-show_entries', entries, '-of', 'json', path];
  return JSON.parse((await bareFfprobe(shown)).join('')).streams[0];
}

it('an HDR video converted to SDR has no HDR metadata', async () => {
  const lights = 'master-display=G(13250,34500)B(7500,3000)R(34000,16000)WP(15635,16450)L(10000000,1):max-cll=1000,400';
  const tags = 'log-level=error:colorprim=bt2020:transfer=smpte2084:colormatrix=bt2020nc';
  const args = ['-f', 'lavfi', '-i', 'testsrc2=size=160x90:rate=5:duration=1', '-pix_fmt', 'yuv420p10le'];
  const encoder = ['-c:v', 'libx265', '-preset', 'ultrafast', '-x265-params', `${tags}:${lights}`];
  const source = await cachedFile({ name: 'lights.mp4', recipe: [args, encoder] }, (path) =>
    bareFfmpeg(['-v', 'error', ...args, ...encoder, path]),
  );
  const { path } = await encodeOne(source, 'mp4', { name: 'transcode', codec: 'h265' });
  const sideDataOf = (file: string) => bareFfprobe(['-show_entries', 'frame_side_data=side_data_type', file]);
  expect((await sideDataOf(source)).join()).toContain('Mastering display');
  expect((await sideDataOf(path)).join()).not.toMatch(/Mastering display|Content light level/);
});
