// @module-tag sources
import { readFile, writeFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import type { Format } from '../../src/media/formats.ts';
import { frameTimes, ssim } from '../builders/measure/measure-video.ts';
import { cachedFile } from '../builders/media/cached-file.ts';
import { generatedFile } from '../builders/media/generated-file.ts';
import { retagged } from '../builders/media/retagged.ts';
import { unusualClip } from '../builders/media/unusual-clips.ts';
import { type encode, encodeOne } from '../builders/recipes/encode.ts';

type Recipe = Parameters<typeof encode>[2];

const sources = ['testsrc2=size=64x36:rate=25:duration=6', 'sine=duration=6'];
const clip = (name = 'clip.mp4', args: string[] = []) =>
  generatedFile(name, [
    ...sources.flatMap((source) => ['-f', 'lavfi', '-i', source]),
    ...['-c:v', 'libx264', '-g', '125', '-bf', '2', '-c:a', 'aac', ...args],
  ]);

/** A copy of a file of which a function changed the bytes. */
async function edited(name: string, edit: (bytes: Buffer) => unknown): Promise<string> {
  const source = await clip();
  return cachedFile({ name, recipe: [source, String(edit)] }, async (path) => {
    const bytes = await readFile(source);
    edit(bytes);
    await writeFile(path, bytes);
  });
}

describe('an MP4 that states that all its frames are keyframes', () => {
  const source = () => edited('all-keyframes.mp4', (bytes) => bytes.write('free', bytes.indexOf('stss')));

  it('is cut exact to the frame', async () => {
    const range = { name: 'clip', start: 2, end: 4 } as const;
    const [{ path }, { path: expected }] = [
      await encodeOne(await source(), 'mp4', range),
      await encodeOne(await clip(), 'mp4', range),
    ];
    expect(await frameTimes(path)).toEqual(await frameTimes(expected));
    expect(await ssim({ path }, { path: expected })).toBe(1);
  });

  it('is not cut at its keyframes, nor into chunks', async () => {
    const cut = encodeOne(await source(), 'mp4', { name: 'clip', start: 2, accuracy: 'keyframe' });
    await expect(cut).rejects.toThrow('states that all its frames are keyframes');
  });
});

it.each<[string, string, Recipe, Format, string]>([
  ['ts', 'rotate=90', { name: 'compress' }, 'mp4', 'transpose=cclock'],
  ['mp4', 'rotate=270', { name: 'clip', end: 5 }, 'mp4', 'transpose=clock,trim=end=5'],
  ['mp4', 'flip=horizontal', { name: 'compress' }, 'mp4', 'hflip'],
  [
    'mp4',
    'rotate=90',
    { name: 'thumbnail', at: 1 },
    'png',
    'trim=start=1,setpts=PTS-STARTPTS,transpose=cclock',
  ],
  ['mp4', 'rotate=180', { name: 'remux' }, 'mkv', 'hflip,vflip'],
  ['mp4', 'rotate=90', { name: 'mute' }, 'mp4', 'transpose=cclock'],
  ['mp4', 'flip=vertical', { name: 'remux' }, 'mov', 'vflip'],
])(
  'frames that state an orientation, which their container does not are turned: %s, %s, %o',
  async (container, orientation, recipe, format, filters) => {
    const plain = await clip(`clip.${container}`);
    const source = await retagged(plain, 'h264_metadata', `display_orientation=insert:${orientation}`);
    const { path } = await encodeOne(source, format, recipe);
    expect(await ssim({ path }, { path: plain, filters })).toBeGreaterThan(0.9);
  },
);

it('an angle that players ignore turns no frames', async () => {
  const plain = await clip();
  const source = await generatedFile('turned.mp4', ['-display_rotation', '80', '-i', plain, '-c', 'copy']);
  const { path } = await encodeOne(source, 'mp4', { name: 'compress' });
  expect(await ssim({ path }, { path: plain })).toBeGreaterThan(0.9);
});

describe('an edit list that ends before the last frame', () => {
  /** As phones trim videos: of 6 s, those from 1.2 to 4.2. */
  const source = () =>
    edited('trimmed.mp4', (bytes) => {
      for (let at = bytes.indexOf('elst'); at !== -1; at = bytes.indexOf('elst', at + 4)) {
        const ticksPerSecond = bytes.readUInt32BE(bytes.indexOf('mdhd', at) + 16);
        bytes.writeUInt32BE(3000, at + 12);
        bytes.writeUInt32BE(bytes.readUInt32BE(at + 16) + 1.2 * ticksPerSecond, at + 16);
      }
    });

  it.each<[Format, Recipe]>([
    ['mp4', { name: 'remux' }],
    ['mov', { name: 'remux' }],
    ['mp4', { name: 'mute' }],
    ['mp4', { name: 'normalize-audio' }],
  ])('ends a copy: %s, %o', async (format, recipe) => {
    const { path, probe } = await encodeOne(await source(), format, recipe);
    expect(probe.durationSeconds).toBeCloseTo(3.1, 0);
    const filters = 'trim=start=1.19,setpts=PTS-STARTPTS';
    expect(await ssim({ path }, { path: await clip(), filters })).toBeGreaterThan(0.99);
  });

  it.each([source, () => unusualClip('cutBeforeKeyframe')])(
    'hides frames that Matroska would show',
    async (hiding) => {
      const copy = encodeOne(await hiding(), 'mkv', { name: 'remux' });
      await expect(copy).rejects.toThrow('An edit list of the input cuts it between keyframes');
    },
  );
});
