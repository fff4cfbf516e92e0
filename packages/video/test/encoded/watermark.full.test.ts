// @module-tag geometry
import { join } from 'node:path';
import { aTemporaryFolder } from '@media-jobs/testing/temporary-folder';
import { describe, expect, it } from 'vitest';
import type { OverlayPosition } from '../../src/encoding/overlay.ts';
import { decodeFrameAt } from '../builders/measure/frame-at.ts';
import { frameTimes, ssim } from '../builders/measure/measure-video.ts';
import { bareFfmpeg } from '../builders/media/bare-ffmpeg.ts';
import { clipWith } from '../builders/media/clips.ts';
import { type EncodedOutput, encodeOne } from '../builders/recipes/encode.ts';

const colours = { red: [255, 0, 0], blue: [0, 0, 255], white: [255, 255, 255] };

describe('a watermark', () => {
  it.each([
    ['top-left', 9, 9],
    ['top', 120, 9],
    ['top-right', 231, 9],
    ['left', 9, 70],
    ['center', 120, 70],
    ['right', 231, 70],
    ['bottom-left', 9, 131],
    ['bottom', 120, 131],
    ['bottom-right', 231, 131],
  ] as const)('is at %s and nowhere else', async (position, x, y) => {
    const source = await clipWith();
    const { path } = await marked(source, await anImage('color=red'), { position });
    const frame = await decodeFrameAt(path, 1);
    for (const [dx, dy] of [...corners({ width: 80, height: 40 }), [40, 20] as const]) {
      expect(frame.colour(x + dx, y + dy)).toEqual(near(colours.red));
    }
    const covered = `drawbox=x=${x - 3}:y=${y - 3}:w=86:h=46:t=fill:color=black`;
    expect(await ssim({ path, filters: covered }, { path: source, filters: covered })).toBeGreaterThan(0.95);
  });

  it('is in every frame, and every frame keeps its timestamp', async () => {
    const source = await clipWith({ rate: 'variable' });
    const { path } = await marked(source, await anImage('color=red'));
    const [before, after] = [await frameTimes(source), await frameTimes(path)];
    expect(after).toHaveLength(before.length);
    for (const [index, time] of after.entries()) expect(time).toBeCloseTo(before[index] ?? -1, 2);
    const found = await Promise.all([0, 0.5, 1.9].map((at) => decodeFrameAt(path, at)));
    for (const frame of found) expect(frame.colour(270, 150)).toEqual(near(colours.red));
  });

  it.each(['mark.png', 'mark.webp'])('lets through what is transparent, with clean edges: %s', async (name) => {
    // White on transparent pixels, whose hidden color is black.
    const inside = 'lt(hypot(X-32,Y-32),30)*255';
    const disc = `color=black:size=64x64,format=rgba,geq=r='${inside}':g='${inside}':b='${inside}':a='${inside}'`;
    const paper = await aSheet('white');
    const { path } = await marked(paper, await anImage(disc, name), { position: 'center' });
    expect(await ssim({ path }, { path: paper })).toBeGreaterThan(0.999);
  });

  it('blends with the video below it', async () => {
    const mark = await anImage('color=red');
    const { path } = await marked(await aSheet('blue'), mark, { position: 'center', opacity: 0.4 });
    expect((await decodeFrameAt(path, 0)).colour(160, 90)).toEqual(near([102, 0, 153]));
  });

  it.each([
    ['portrait', { width: 180, height: 320 }],
    ['odd', { width: 322, height: 182 }],
  ] as const)('keeps its aspect ratio on a clip that is %s', async (shape, { width, height }) => {
    const source = await clipWith({ shape });
    const { path } = await marked(source, await anImage('color=red'), { scale: 0.5, margin: 0 });
    const frame = await decodeFrameAt(path, 1);
    const mark = { width: width / 2, height: Math.round(width / 4) };
    for (const [dx, dy] of corners(mark)) {
      const point = [width - mark.width + dx, height - mark.height + dy] as const;
      expect(frame.colour(...point)).toEqual(near(colours.red));
    }
    const upright = shape === 'portrait' ? 'transpose=cclock' : 'scale=322:182';
    const covered = `drawbox=x=${width / 2 - 3}:y=${height - mark.height - 3}:w=iw:h=ih:t=fill:color=black`;
    const unmarked = { path: await clipWith(shape === 'odd' ? { shape } : {}), filters: `${upright},${covered}` };
    expect(await ssim({ path, filters: covered }, unmarked)).toBeGreaterThan(0.94);
  });

  it('becomes smaller to fit between the margins', async () => {
    const tall = await anImage('color=red:size=40x320');
    const { path } = await marked(await aSheet('blue'), tall, { scale: 1, margin: 0.1, position: 'left' });
    const frame = await decodeFrameAt(path, 0);
    for (const [dx, dy] of corners({ width: 18, height: 144 })) {
      expect(frame.colour(18 + dx, 18 + dy)).toEqual(near(colours.red));
    }
    for (const [x, y] of [
      [14, 90],
      [40, 90],
      [27, 14],
      [27, 166],
    ] as const) {
      expect(frame.colour(x, y)).toEqual(near(colours.blue));
    }
  });

  it('may be a JPEG over an HDR video', async () => {
    const mark = await anImage('color=red', 'mark.jpg');
    const { path } = await marked(await clipWith({ colour: 'hdr' }), mark, { position: 'center' });
    expect((await decodeFrameAt(path, 1)).colour(160, 90)).toEqual(near(colours.red));
  });

  it('is rejected if it is a video', async () => {
    await expect(marked(await clipWith(), await clipWith())).rejects.toMatchObject({
      code: 'INPUT_UNSUPPORTED',
      message: 'image: Expected a still image (PNG, JPEG or WebP), found a file with a duration',
    });
  });
});

type Placing = { position?: OverlayPosition; opacity?: number; scale?: number; margin?: number };

/** A mark of 80x40 on a video of 320x180, 9 pixels from the edges by default. */
async function marked(source: string, mark: string, placing: Placing = {}): Promise<EncodedOutput> {
  const files = { inputs: [source], assets: { image: mark } } as const;
  const image = 'https://example.com/logo.png';
  return encodeOne(files, 'mp4', { name: 'watermark', image, scale: 0.25, margin: 0.05, ...placing });
}

/** An image of 64x32 that ffmpeg draws. */
async function anImage(graph: string, name = 'mark.png'): Promise<string> {
  const path = join(await aTemporaryFolder(), name);
  const sized = graph.includes('size=') ? graph : `${graph}:size=64x32`;
  const lossless = name.endsWith('.webp') ? ['-c:v', 'libwebp', '-lossless', '1'] : [];
  await bareFfmpeg(['-f', 'lavfi', '-i', sized, '-frames:v', '1', ...lossless, path]);
  return path;
}

/** A second of one colour. */
async function aSheet(colour: string): Promise<string> {
  const path = join(await aTemporaryFolder(), 'sheet.mp4');
  await bareFfmpeg(['-f', 'lavfi', '-i', `color=${colour}:size=320x180:duration=1`, '-c:v', 'libx264', path]);
  return path;
}

/** Points just inside the corners of a rectangle at 0, 0. */
function corners({ width, height }: { width: number; height: number }) {
  return [4, width - 5].flatMap((x) => [4, height - 5].map((y) => [x, y] as const));
}

/** A colour that is the same to the eye. */
function near(colour: readonly number[]) {
  return colour.map((value) => expect.toSatisfy((found: number) => Math.abs(found - value) <= 16));
}
