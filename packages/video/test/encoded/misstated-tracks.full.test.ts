// @module-tag sources
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
async function edited(name: string, edit: (bytes: Buffer) => Buffer | undefined, args?: string[]): Promise<string> {
  const source = await clip('clip.mp4', args);
  return cachedFile({ name, recipe: [source, String(edit)] }, async (path) => {
    const bytes = await readFile(source);
    await writeFile(path, edit(bytes) ?? bytes);
  });
}

const withoutList = () =>
  edited('without-list.mp4', (bytes) => {
    bytes.write('free', bytes.indexOf('stss'));
    return undefined;
  });

/** Its list of keyframes has all frames, as mp4v2 writes it. The index is at the end of the file. */
const withFullList = () =>
  edited('full-list.mp4', (bytes) => {
    const frames = bytes.readUInt32BE(bytes.indexOf('stsz') + 12);
    const at = bytes.indexOf('stss') - 4;
    const size = bytes.readUInt32BE(at);
    const list = Buffer.alloc(16 + 4 * frames);
    bytes.copy(list, 0, at, at + 12);
    list.writeUInt32BE(list.length);
    list.writeUInt32BE(frames, 12);
    for (let frame = 1; frame <= frames; frame += 1) list.writeUInt32BE(frame, 12 + 4 * frame);
    for (const parent of ['moov', 'trak', 'mdia', 'minf', 'stbl']) {
      const start = bytes.indexOf(parent) - 4;
      bytes.writeUInt32BE(bytes.readUInt32BE(start) + list.length - size, start);
    }
    return Buffer.concat([bytes.subarray(0, at), list, bytes.subarray(at + size)]);
  });

const fragments = ['-movflags', 'frag_keyframe+empty_moov+default_base_moof'];

/** The default flags of samples in its fragments are those of keyframes, as live encoders write them. */
const inFragments = () =>
  edited(
    'in-fragments.mp4',
    (bytes) => Buffer.from(bytes.toString('latin1').replaceAll('\x01\x01\0\0', '\x02\0\0\0'), 'latin1'),
    fragments,
  );

describe.each([
  ['without a list of keyframes', withoutList, []],
  ['with all frames in it', withFullList, []],
  ['in fragments', inFragments, fragments],
] as const)('an MP4 that states that all its frames are keyframes, %s', (_, source, args) => {
  it('is cut exact to the frame', async () => {
    const range = { name: 'clip', start: 2, end: 4 } as const;
    const { path } = await encodeOne(await source(), 'mp4', range);
    const expected = await encodeOne(await clip('clip.mp4', [...args]), 'mp4', range);
    expect(await frameTimes(path)).toEqual(await frameTimes(expected.path));
    expect(await ssim({ path }, { path: expected.path })).toBe(1);
  });

  it('is not cut at its keyframes', async () => {
    const cut = encodeOne(await source(), 'mp4', { name: 'clip', start: 2, accuracy: 'keyframe' });
    await expect(cut).rejects.toThrow('states that all its frames are keyframes');
  });
});

it.each<[string, string, Recipe, Format, string]>([
  ['ts', 'rotate=90', { name: 'compress' }, 'mp4', 'transpose=cclock'],
  ['mp4', 'rotate=270', { name: 'clip', end: 5 }, 'mp4', 'transpose=clock,trim=end=5'],
  ['mp4', 'flip=horizontal', { name: 'compress' }, 'mp4', 'hflip'],
  ['mp4', 'rotate=90', { name: 'thumbnail', at: 1 }, 'png', 'trim=start=1,setpts=PTS-STARTPTS,transpose=cclock'],
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
      return undefined;
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

  it.each([source, () => unusualClip('cutBeforeKeyframe')])('hides frames that Matroska would show', async (hiding) => {
    const copy = encodeOne(await hiding(), 'mkv', { name: 'remux' });
    await expect(copy).rejects.toThrow('An edit list of the input cuts it between keyframes');
  });
});

/** The edits of both tracks: seconds that are shown from a time of the media on, nothing from -1 on. */
function withEdits(name: string, edits: readonly [seconds: number, from: number][]): Promise<string> {
  const edit = (bytes: Buffer) => {
    let file = bytes;
    for (let at = file.indexOf('elst'); at !== -1; at = file.indexOf('elst', at + 4)) {
      const ticksPerSecond = file.readUInt32BE(file.indexOf('mdhd', at) + 16);
      const delay = file.readInt32BE(at + 16);
      const entries = edits.map(([seconds, from]) => {
        const entry = Buffer.alloc(12);
        entry.writeUInt32BE(1000 * seconds);
        entry.writeInt32BE(from < 0 ? -1 : from * ticksPerSecond + delay, 4);
        entry.writeUInt32BE(0x10000, 8);
        return entry;
      });
      const size = file.readUInt32BE(at - 4);
      const list = Buffer.concat([file.subarray(at - 4, at + 12), ...entries]);
      list.writeUInt32BE(list.length);
      list.writeUInt32BE(edits.length, 12);
      for (const parent of ['moov', 'trak', 'edts']) {
        const start = file.lastIndexOf(parent, at) - 4;
        file.writeUInt32BE(file.readUInt32BE(start) + list.length - size, start);
      }
      file = Buffer.concat([file.subarray(0, at - 4), list, file.subarray(at - 4 + size)]);
    }
    return file;
  };
  return edited(name, edit, ['-bf', '0']);
}

describe('an edit list of several parts', () => {
  const source = () =>
    withEdits('parts.mp4', [
      [1, 0],
      [1, 3],
    ]);

  it.each<Recipe>([{ name: 'compress' }, { name: 'mute' }])('is encoded as it is shown: %o', async (recipe) => {
    const { path, probe } = await encodeOne(await source(), 'mp4', recipe);
    expect(probe.durationSeconds).toBeCloseTo(2, 1);
    const filters = "select='lt(t,0.99)+between(t,2.99,3.99)',setpts=N/25/TB";
    expect(await ssim({ path }, { path: await clip('clip.mp4', ['-bf', '0']), filters })).toBeGreaterThan(0.9);
  });

  it('is not copied', async () => {
    const copy = encodeOne(await source(), 'mp4', { name: 'remux' });
    await expect(copy).rejects.toThrow('put together of several parts by an edit list');
  });
});

it.each<[Format, Recipe]>([
  ['mp4', { name: 'compress' }],
  ['mp4', { name: 'remux' }],
  ['wav', { name: 'extract-audio' }],
])('an edit list that begins empty and ends early lasts as long as it shows: %s, %o', async (format, recipe) => {
  const source = await withEdits('late.mp4', [
    [1, -1],
    [4, 0],
  ]);
  const { probe } = await encodeOne(source, format, recipe);
  expect(probe.durationSeconds).toBeCloseTo(4, 0);
});

it.each<[Format, Recipe]>([
  ['mp4', { name: 'compress' }],
  ['mkv', { name: 'remux' }],
  ['mp3', { name: 'extract-audio' }],
])('encrypted tracks are rejected as such: %s, %o', async (format, recipe) => {
  const [key, id] = ['76a6c65c5ea762046bd749a2e632ccbb', 'a7e61c373e219033c21091fa607bf3b8'];
  const scheme = ['-encryption_scheme', 'cenc-aes-ctr', '-encryption_key', key, '-encryption_kid', id];
  await expect(encodeOne(await clip('encrypted.mp4', scheme), format, recipe)).rejects.toMatchObject({
    code: 'INPUT_UNSUPPORTED',
    message: expect.stringMatching(/is encrypted \(enc[av]\)/),
  });
});

it.each<[Format, Recipe, number]>([
  ['mp4', { name: 'compress' }, 150],
  ['mkv', { name: 'remux' }, 150],
  ['mp4', { name: 'clip', start: 2, end: 4 }, 50],
  ['png', { name: 'thumbnail', at: 3 }, 1],
])('a cover image that is a track in front of the video is none: %s, %o', async (format, recipe, frames) => {
  const cover = ['-f', 'lavfi', '-i', 'color=size=600x600:rate=25:duration=0.04'];
  const source = await generatedFile('cover.mkv', [
    ...[...cover, '-i', await clip(), '-map', '0', '-map', '1', '-c', 'copy', '-c:v:0', 'mjpeg'],
  ]);
  const { path, probe } = await encodeOne(source, format, recipe);
  expect(probe.streams[0]).toMatchObject({ width: 64, height: 36 });
  expect(await frameTimes(path)).toHaveLength(frames);
});
