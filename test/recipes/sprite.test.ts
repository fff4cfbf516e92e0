// @module-tag images
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  bareFfmpeg,
  clipWith,
  decodeFrameAt,
  frameNumber,
  generatedFile,
  numberedClip,
  numberedFramesPerSecond,
} from '@media-jobs/video/testing';
import { beforeAll, describe, expect, it } from 'vitest';
import { type EncodedFiles, encodeAll } from '../builders/recipes/encode-all.ts';

const tile = { width: 64, height: 36 };

type Cue = { start: number; end: number; sheet: string; x: number; y: number };

let files: EncodedFiles;
let cues: Cue[];

beforeAll(async () => {
  const recipe = { name: 'sprite', every: 0.5, columns: 3, rows: 2, tileWidth: tile.width } as const;
  files = await encodeAll(await numberedClip(), 'jpg', recipe);
  cues = readCues(await files.text('vtt'));
});

describe('a sprite', () => {
  it('has cues without gaps to the end of the video', () => {
    expect(cues.map(({ start }) => start)).toEqual(Array.from({ length: 13 }, (_, index) => index * 0.5));
    expect(cues.map(({ end }) => end).slice(0, -1)).toEqual(cues.map(({ start }) => start).slice(1));
    expect(cues.at(-1)?.end).toBe(6.3);
  });

  it('shows for each cue the frame at its start', async () => {
    const sheets = new Map<string, Buffer>();
    for (const { sheet } of cues) sheets.set(sheet, sheets.get(sheet) ?? (await greysOf(sheet)));
    expect([...sheets.keys()]).toEqual(['sprite-001.jpg', 'sprite-002.jpg', 'sprite-003.jpg']);
    for (const { start, sheet, x, y } of cues) {
      const middle = (y + tile.height / 2) * 3 * tile.width + x + tile.width / 2;
      const grey = sheets.get(sheet)?.[middle] ?? 0;
      const frame = start * numberedFramesPerSecond;
      expect(Math.abs(frameNumber(grey) - frame), `at ${start} s`).toBeLessThan(0.65);
    }
  });
});

describe('a sprite of a video with many keyframes', () => {
  async function framesOf(gop: number, accuracy: 'keyframe' | 'frame'): Promise<number[]> {
    const recipe = {
      name: 'sprite',
      every: 1,
      columns: 7,
      rows: 1,
      tileWidth: tile.width,
      accuracy,
    } as const;
    const sprite = await encodeAll(await numberedClip(gop), 'png', recipe);
    const sheet = await decodeFrameAt(join(sprite.directory, 'sprite-001.png'), 0);
    return Array.from({ length: 7 }, (_, index) => {
      const [grey = 0] = sheet.colour(index * tile.width + tile.width / 2, tile.height / 2);
      return frameNumber(grey);
    });
  }

  function expectFrames(found: readonly number[], expected: readonly number[]): void {
    for (const [index, frame] of expected.entries()) {
      expect(Math.abs((found[index] ?? 0) - frame), `tile ${index} of ${found}`).toBeLessThan(1);
    }
  }

  it('shows the keyframe nearest to each time, if each is within half an interval', async () => {
    expectFrames(await framesOf(4, 'keyframe'), [0, 8, 20, 28, 40, 48, 60]);
    expectFrames(await framesOf(7, 'keyframe'), [0, 7, 21, 28, 42, 49, 56]);
  });

  it('shows the exact frames where one is not, and on request', async () => {
    const exact = [0, 10, 20, 30, 40, 50, 60];
    expectFrames(await framesOf(15, 'keyframe'), exact);
    expectFrames(await framesOf(4, 'frame'), exact);
  });
});

it('a sprite with an interval from which it seeks shows the exact frames on each sheet', async () => {
  const slow = await generatedFile('slow.mp4', [
    ...['-f', 'lavfi', '-i', 'nullsrc=size=128x72:rate=1:duration=120', '-vf'],
    ...["geq=lum='16+N':cb=128:cr=128", '-c:v', 'libx264', '-crf', '4', '-pix_fmt', 'yuv420p'],
  ]);
  const recipe = {
    name: 'sprite',
    every: 40,
    columns: 2,
    rows: 1,
    tileWidth: 64,
    accuracy: 'frame',
  } as const;
  const sprite = await encodeAll(slow, 'png', recipe);
  const seconds: number[] = [];
  for (const [sheet, x] of [
    ['001', 32],
    ['001', 96],
    ['002', 32],
  ] as const) {
    const image = await decodeFrameAt(join(sprite.directory, `sprite-${sheet}.png`), 0);
    seconds.push(3 * frameNumber(image.colour(x, tile.height / 2)[0] ?? 0));
  }
  for (const [index, found] of seconds.entries()) expect(Math.abs(found - 40 * index)).toBeLessThan(3);
});

describe.each(['jpg', 'webp'] as const)('a sprite with an odd tile height in %s', (format) => {
  it('keeps the colors of a tile up to its last row', async () => {
    const source = (color: string) => ['-f', 'lavfi', '-i', `color=${color}:size=320x134:rate=1:duration=1`];
    const redThenBlue = await generatedFile('red-blue.mp4', [
      ...[...source('red'), ...source('blue'), '-lavfi', '[0][1]concat'],
      ...['-c:v', 'libx264', '-crf', '4', '-g', '1', '-pix_fmt', 'yuv420p'],
    ]);
    const recipe = { name: 'sprite', every: 1, columns: 1, rows: 2 } as const;
    const sprite = await encodeAll(redThenBlue, format, recipe);
    const sheet = await decodeFrameAt(join(sprite.directory, `sprite-001.${format}`), 0);
    expect(sheet.height).toBe(134);
    // The image is 4:2:0: the rows at the border share their chroma samples, half each.
    for (const [row, channel] of [
      [66, 0],
      [67, 2],
    ] as const) {
      expect(sheet.colour(50, row)[channel], `row ${row}: ${sheet.colour(50, row)}`).toBeGreaterThan(90);
    }
    expect(sheet.colour(50, 65)[2]).toBeLessThan(16);
    expect(sheet.colour(50, 68)[0]).toBeLessThan(16);
  });
});

it('a sprite of a video shorter than the interval has one frame', async () => {
  const short = await encodeAll(await clipWith(), 'webp', { name: 'sprite', every: 600, tileWidth: 64 });
  expect([...short.paths.keys()]).toEqual(['sprite-001', 'vtt']);
  expect(await short.text('vtt')).toContain('00:00:00.000 --> 00:00:02.000\nsprite-001.webp#xywh=0,0,64,36');
});

function readCues(text: string): Cue[] {
  expect(text.startsWith('WEBVTT\n\n')).toBe(true);
  const seconds = (clock: string) => clock.split(':').reduce((sum, part) => sum * 60 + Number(part), 0);
  const cue = /^(\S+) --> (\S+)\n(\S+)#xywh=(\d+),(\d+),64,36$/gm;
  return [...text.matchAll(cue)].map(([, start = '', end = '', sheet = '', x, y]) => ({
    start: seconds(start),
    end: seconds(end),
    sheet,
    x: Number(x),
    y: Number(y),
  }));
}

async function greysOf(sheet: string): Promise<Buffer> {
  const raw = join(files.directory, `${sheet}.raw`);
  await bareFfmpeg(['-i', join(files.directory, sheet), '-pix_fmt', 'gray', '-f', 'rawvideo', raw]);
  return readFile(raw);
}
