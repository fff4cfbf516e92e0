import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type * as z from 'zod';
import type { Format } from '../../core/media/formats.ts';
import type { recipeRequestSchema } from '../../core/recipes/registry.ts';
import { generatedFile } from '../builders/media/generated-file.ts';
import { runAsWorker } from '../builders/recipes/run-pipeline.ts';
import { aTemporaryFolder } from '../builders/system/temporary-folder.ts';

type Recipe = z.input<typeof recipeRequestSchema>;

const inputs = [
  ...['-f', 'lavfi', '-i', 'testsrc2=size=320x180:rate=25:duration=12'],
  ...['-f', 'lavfi', '-i', 'sine=frequency=440:sample_rate=48000:duration=12'],
];
const h264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-g', '25', '-c:a', 'aac'];

const sources = {
  'h264.mp4': h264,
  'h264.mkv': h264,
  'h264.ts': h264,
  'hevc.mp4': [
    ...['-c:v', 'libx265', '-x265-params', 'log-level=error'],
    ...['-preset', 'ultrafast', '-c:a', 'aac'],
  ],
  'mpeg2.ts': ['-c:v', 'mpeg2video', '-bf', '2', '-b:v', '2M', '-c:a', 'mp2'],
  'vp9.webm': ['-c:v', 'libvpx-vp9', '-deadline', 'realtime', '-cpu-used', '8', '-c:a', 'libopus'],
  'mpeg4.avi': ['-c:v', 'mpeg4', '-b:v', '1M', '-c:a', 'mp3'],
  'prores.mov': ['-c:v', 'prores', '-c:a', 'pcm_s16le'],
};

type SourceName = keyof typeof sources;

/** The middle of a file, from the first to the second of these shares of its bytes, is replaced by what `change` makes of it. */
async function damagedFile(
  name: SourceName,
  [from, to]: [number, number],
  change: (part: Buffer) => Uint8Array,
): Promise<string> {
  const file = await readFile(await generatedFile(name, [...inputs, ...sources[name]]));
  const [start, end] = [Math.floor(from * file.length), Math.floor(to * file.length)];
  const path = join(await aTemporaryFolder(), name);
  const changed = change(file.subarray(start, end));
  await writeFile(path, Buffer.concat([file.subarray(0, start), changed, file.subarray(end)]));
  return path;
}

const zeros = ({ length }: Buffer) => Buffer.alloc(length);
const nothing = () => Buffer.alloc(0);
/** The same bytes at each run. */
const noise = ({ length }: Buffer) => {
  let state = 1;
  return Uint8Array.from({ length }, () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return state >>> 16;
  });
};

const warningOf = (kind: 'video' | 'audio') => ({
  code: 'INPUT_DAMAGED',
  message: expect.stringMatching(new RegExp(`of \\d+ ${kind} frames, \\d+ are missing or damaged`)),
});

describe('a job whose source is damaged warns how much is missing', () => {
  it.each<[SourceName, string, (part: Buffer) => Uint8Array]>([
    ['h264.mp4', 'noise', noise],
    ['h264.mp4', 'zeros', zeros],
    ['h264.mkv', 'noise', noise],
    ['h264.mkv', 'a cut', nothing],
    ['h264.ts', 'noise', noise],
    ['h264.ts', 'a cut', nothing],
    ['hevc.mp4', 'zeros', zeros],
    ['mpeg2.ts', 'zeros', zeros],
    ['vp9.webm', 'noise', noise],
    ['prores.mov', 'noise', noise],
  ])('%s with %s', async (name, _, change) => {
    const source = await damagedFile(name, [0.4, 0.6], change);
    const { warnings } = await runAsWorker(source, 'mp4', [{ name: 'compress' }]);
    expect(warnings).toContainEqual(warningOf('video'));
  });

  it.each<[Format, Recipe]>([
    ['gif', { name: 'gif' }],
    ['m3u8', { name: 'hls' }],
    ['webm', { name: 'transcode', codec: 'vp9', preset: 'ultrafast' }],
  ])('in the %s of %o', async (format, recipe) => {
    const source = await damagedFile('h264.mp4', [0.4, 0.6], noise);
    const { warnings } = await runAsWorker(source, format, [recipe]);
    expect(warnings).toContainEqual(warningOf('video'));
  });

  it('of the audio', async () => {
    const source = await damagedFile('h264.mp4', [0.4, 0.6], noise);
    const { warnings } = await runAsWorker(source, 'mp3', [{ name: 'extract-audio' }]);
    expect(warnings).toEqual([warningOf('audio')]);
  });
});

it.each<[SourceName]>([['h264.mp4'], ['hevc.mp4'], ['prores.mov']])(
  'a job fails, and not to be retried, if most of its source is damaged: %s',
  async (name) => {
    const source = await damagedFile(name, [0.15, 0.85], noise);
    const error = { code: 'INPUT_DAMAGED', retryable: false };
    await expect(runAsWorker(source, 'mp4', [{ name: 'compress' }])).rejects.toMatchObject(error);
  },
);

it.each(Object.keys(sources) as SourceName[])(
  'a job whose source is whole has no warning: %s',
  async (name) => {
    const source = await generatedFile(name, [...inputs, ...sources[name]]);
    for (const recipe of [{ name: 'compress' }, { name: 'clip', start: 3.3, end: 7 }] as const) {
      expect((await runAsWorker(source, 'mp4', [recipe])).warnings).toEqual([]);
    }
  },
);
