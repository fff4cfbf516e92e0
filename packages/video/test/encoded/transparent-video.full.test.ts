// @module-tag color
import { describe, expect, it } from 'vitest';
import { bareFfmpegOutput } from '../builders/media/bare-ffmpeg.ts';
import { generatedFile } from '../builders/media/generated-file.ts';
import { encode, encodeOne } from '../builders/recipes/encode.ts';

type Rgba = readonly [number, number, number, number];

/** A second of an opaque green square on invisible red. */
const sticker = [
  ...['-f', 'lavfi', '-i', 'color=red@0.0:size=128x96:duration=1,format=yuva444p'],
  ...['-vf', 'drawbox=x=32:y=24:w=64:h=48:color=lime@1:t=fill:replace=1'],
];

const sources = {
  'VP9 in WebM': () =>
    generatedFile('sticker-vp9.webm', [
      ...[...sticker, '-c:v', 'libvpx-vp9', '-pix_fmt', 'yuva420p', '-auto-alt-ref', '0'],
    ]),
  'VP8 in WebM': () =>
    generatedFile('sticker-vp8.webm', [
      ...[...sticker, '-c:v', 'libvpx', '-b:v', '1M', '-pix_fmt', 'yuva420p', '-auto-alt-ref', '0'],
    ]),
  'ProRes 4444 in MOV': () =>
    generatedFile('sticker-prores.mov', [
      ...[...sticker, '-c:v', 'prores_ks', '-profile:v', '4', '-pix_fmt', 'yuva444p10le'],
    ]),
  'animated PNG': () => generatedFile('sticker.apng', [...sticker, '-pix_fmt', 'rgba']),
} as const;

const names = Object.keys(sources) as (keyof typeof sources)[];

/** The pixels in a corner and in the middle of the tenth frame. */
async function pixels(path: string, decoder: readonly string[] = []): Promise<[Rgba, Rgba]> {
  const frame = await bareFfmpegOutput([
    ...['-v', 'error', ...decoder, '-i', path, '-vf', "select='eq(n,10)',format=rgba", '-frames:v', '1'],
    ...['-f', 'rawvideo', '-'],
  ]);
  const at = (x: number, y: number): Rgba => {
    const [r = 0, g = 0, b = 0, a = 0] = frame.subarray((y * 128 + x) * 4);
    return [r, g, b, a];
  };
  return [at(8, 8), at(64, 48)];
}

function expectColor(found: Rgba, expected: Rgba): void {
  for (const [channel, value] of expected.entries()) {
    expect(Math.abs((found[channel] ?? Number.NaN) - value), `channel ${channel} of ${found}`).toBeLessThan(9);
  }
}

describe('a transparent video', () => {
  it.each(names)('%s is composited on white by default', async (name) => {
    const { path } = await encodeOne(await sources[name](), 'mp4', { name: 'compress' });
    const [corner, middle] = await pixels(path);
    expectColor(corner, [255, 255, 255, 255]);
    expectColor(middle, [0, 255, 0, 255]);
  });

  it.each(names)('%s keeps its transparency in VP9', async (name) => {
    const recipe = { name: 'transcode', codec: 'vp9', background: 'keep' } as const;
    const { path } = await encodeOne(await sources[name](), 'webm', recipe);
    const [corner, middle] = await pixels(path, ['-c:v', 'libvpx-vp9']);
    expect(corner[3]).toBeLessThan(9);
    expectColor(middle, [0, 255, 0, 255]);
  });

  it('keeps its transparency from WebM to ProRes 4444', async () => {
    const recipe = { name: 'transcode', codec: 'prores' } as const;
    const { path } = await encodeOne(await sources['VP9 in WebM'](), 'mov', recipe);
    const [corner, middle] = await pixels(path);
    expect(corner[3]).toBeLessThan(9);
    expectColor(middle, [0, 255, 0, 255]);
  });
});

it.each([
  ['png', { name: 'thumbnail', at: 0.5, width: 50 }],
  ['webp', { name: 'thumbnail', at: 0.5, width: 50 }],
  ['gif', { name: 'gif', width: 50 }],
] as const)('the edges of a smaller %s do not take the color of invisible pixels', async (format, recipe) => {
  const { path } = await encodeOne(await sources['ProRes 4444 in MOV'](), format, recipe);
  const frame = ['-i', path, '-frames:v', '1', '-f', 'rawvideo', '-pix_fmt', 'rgba', '-'];
  const image = await bareFfmpegOutput(frame);
  // Half of this column is the square.
  const [red, green] = image.subarray((20 * 50 + 12) * 4);
  expect(red).toBeLessThan(20);
  expect(green).toBeGreaterThan(235);
});

describe('images of several frames of a transparent video', () => {
  const still = () =>
    generatedFile('long-sticker.webm', [
      ...['-f', 'lavfi', '-i', 'color=red@0.0:size=128x96:duration=60:rate=1,format=yuva444p'],
      ...['-c:v', 'libvpx-vp9', '-deadline', 'realtime', '-pix_fmt', 'yuva420p', '-auto-alt-ref', '0'],
    ]);

  /** The top left corner of the first image. */
  async function corner(format: 'jpg' | 'png' | 'webp', recipe: Parameters<typeof encode>[2]): Promise<Rgba> {
    const [image] = await encode(await still(), format, recipe);
    const filters = 'crop=1:1:8:8:exact=1,format=rgba';
    const pixel = ['-i', image?.path ?? '', '-vf', filters, '-frames:v', '1', '-f', 'rawvideo', '-'];
    const [r = 0, g = 0, b = 0, a = 0] = await bareFfmpegOutput(pixel);
    return [r, g, b, a];
  }

  const size = { columns: 2, rows: 1, tileWidth: 128 };

  it.each<[string, Parameters<typeof encode>[2]]>([
    ['a contact sheet', { name: 'contact-sheet', ...size, gap: 0 }],
    ['a sprite of a few frames', { name: 'sprite', ...size, every: 30, accuracy: 'frame' }],
    ['a sprite of many frames', { name: 'sprite', ...size, every: 10, accuracy: 'frame' }],
  ])('%s is white in jpg, and transparent in png and webp', async (_, recipe) => {
    expectColor(await corner('jpg', recipe), [255, 255, 255, 255]);
    for (const format of ['png', 'webp'] as const) expect((await corner(format, recipe))[3]).toBeLessThan(9);
  });
});

it('an opaque video gets no transparency if the request keeps it', async () => {
  const opaque = await generatedFile('opaque.mp4', ['-f', 'lavfi', '-i', 'testsrc=size=128x96:duration=1']);
  const recipe = { name: 'transcode', codec: 'vp9', background: 'keep' } as const;
  const { probe } = await encodeOne(opaque, 'webm', recipe);
  expect(probe.streams).toMatchObject([{ codec: 'vp9', pixelFormat: 'yuv420p' }]);
});

it('a gradient of a deep transparent video has no bands of 8 bits in 10 bits', async () => {
  const size = ['-f', 'rawvideo', '-pix_fmt', 'yuva444p10le', '-s', '1024x64'];
  const raw = await generatedFile('deep-gradient.yuv', [
    ...['-f', 'lavfi', '-i', 'color=black:size=1024x64:rate=5:duration=0.2,format=yuv444p10le'],
    ...['-vf', "geq=lum='200+X*300/1024':cb=512:cr=512,format=yuva444p10le", '-f', 'rawvideo'],
  ]);
  const prores = ['-c:v', 'prores_ks', '-profile:v', '4444', '-alpha_bits', '16'];
  const source = await generatedFile('deep-gradient.mov', [...size, '-i', raw, ...prores]);
  const { path } = await encodeOne(source, 'mp4', { name: 'transcode', codec: 'h265', crf: 1 });
  const plane = await bareFfmpegOutput([
    ...['-i', path, '-frames:v', '1', '-pix_fmt', 'yuv420p10le', '-f', 'rawvideo', '-'],
  ]);
  const luma = new Uint16Array(plane.buffer.slice(plane.byteOffset, plane.byteOffset + 2 * 1024 * 64));
  expect(new Set(luma).size).toBeGreaterThan(250);
});
