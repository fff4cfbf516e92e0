// @module-tag nightly
// @module-tag chunks
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { aTemporaryFolder } from '@media-jobs/testing/temporary-folder';
import {
  audioSamples,
  bareFfmpeg,
  type ChunkSource,
  chunkSource,
  chunkSources,
  cuttableSources,
  frameTimes,
  generatedFile,
  residualDb,
} from '@media-jobs/video/testing';
import { describe, expect, it } from 'vitest';
import { encodeBothWays } from '../builders/chunking/encode-both-ways.ts';
import { expectSameClipOfPause } from '../builders/chunking/expect-same-clip-of-pause.ts';
import { expectSinglePassFile } from '../builders/chunking/expect-single-pass-file.ts';

describe.each(cuttableSources)('chunks of %s', (kind) => {
  it('join to the file of a single pass', async () => {
    await expectSinglePassFile(await encodeBothWays(await chunkSource(kind), 'mp4', { name: 'compress', crf: 23 }));
  });
});

describe.each([
  ['webm', { name: 'transcode', codec: 'vp9' }],
  ['mkv', { name: 'transcode', codec: 'h264' }],
  ['mkv', { name: 'transcode', codec: 'av1' }],
  ['mp4', { name: 'transcode', codec: 'h265' }],
  ['mov', { name: 'rotate', degrees: 90 }],
] as const)('chunks written as %s by %o', (format, recipe) => {
  it.each(['openGop', 'mpeg2OpenGop', 'cinema', 'broadcast', 'lateAudio', 'lateStart', 'variableRate'] as const)(
    'join to the file of a single pass of %s',
    async (kind) => expectSinglePassFile(await encodeBothWays(await chunkSource(kind), format, recipe)),
  );
});

it.each([
  ['mp4', { name: 'transcode', codec: 'h264' }],
  ['mp4', { name: 'transcode', codec: 'h265' }],
  ['webm', { name: 'transcode', codec: 'vp9' }],
  ['mkv', { name: 'transcode', codec: 'av1' }],
] as const)('chunks encoded by one thread each join to the %s of a single pass by %o', async (format, recipe) => {
  await expectSinglePassFile(await encodeBothWays(await chunkSource('cinema'), format, recipe, { threads: 1 }));
});

it('a sine in the audio of a chunked encoding has no clicks at the seams', async () => {
  const recipe = { name: 'compress', audioBitrate: 288 } as const;
  const { chunked, work } = await encodeBothWays(await chunkSource('pureTone'), 'mp4', recipe);
  expect(work.chunks.length).toBeGreaterThan(2);
  expect(residualDb(await audioSamples(chunked), { hertz: 440 })).toBeLessThan(-60);
});

describe.each(cuttableSources)('%s at another frame rate or speed', (kind) => {
  it.each([
    { name: 'transcode', preset: 'veryfast', fps: 23.976 },
    { name: 'transcode', preset: 'veryfast', fps: 7 },
    { name: 'speed', factor: 0.7 },
  ] as const)('joins to the file of a single pass by %o', async (recipe) => {
    await expectSinglePassFile(await encodeBothWays(await chunkSource(kind), 'mp4', recipe));
  });
});

// A single pass begins at the last keyframe before the clip, so its first frames of intra refresh are grey.
it.each(cuttableSources.filter((kind) => kind !== 'intraRefresh'))(
  'a clip of %s joins to that of a single pass',
  async (kind) => {
    const recipe = { name: 'clip', start: 2.987, end: 10.01 } as const;
    await expectSinglePassFile(await encodeBothWays(await chunkSource(kind), 'mp4', recipe));
  },
);

describe.each(['mp4', 'mkv', 'webm'] as const)('a clip in %s of a time lapse', (format) => {
  it.each([
    { start: 5.3, end: 11.8 },
    { start: 0.2, end: 6.9 },
  ])('of %j joins to that of a single pass', async (range) => {
    const both = await encodeBothWays(await chunkSource('timeLapse'), format, { name: 'clip', ...range });
    await expectSinglePassFile(both);
    expect((await frameTimes(both.chunked))[0]).toBe(0);
  });
});

describe.each(['start', 'end'] as const)('a clip that gives only its %s', (bound) => {
  it.each(['lateStart', 'lateAudio', 'interlaced', 'cinema', 'editList', 'earlierTrack'] as const)(
    'joins to that of a single pass of %s',
    async (kind) => {
      const recipe = { name: 'clip', [bound]: { start: 0.31, end: 7.77 }[bound] } as const;
      await expectSinglePassFile(await encodeBothWays(await chunkSource(kind), 'mkv', recipe));
    },
  );
});

describe.each(['mov', 'mkv', 'webm'] as const)('a clip in %s of a screen recording', (format) => {
  it.each([
    ['starts', { start: 5, end: 12 }],
    ['ends', { start: 0.5, end: 7 }],
  ] as const)('that %s in a pause joins to that of a single pass', (_, range) => expectSameClipOfPause(format, range));
});

describe('a clip that starts after a seek in a broadcast', () => {
  const longer = ([name, args]: readonly [string, readonly string[]]) =>
    generatedFile(
      name,
      args.map((arg) => arg.replace('duration=12', 'duration=45')),
    );
  const clip = { name: 'clip', start: 33.987, end: 41.01 } as const;

  it.each(['interlaced', 'mpeg2OpenGop', 'h264Stream'] as const)('joins to that of a single pass of %s', async (kind) =>
    expectSinglePassFile(await encodeBothWays(await longer(chunkSources[kind]), 'mp4', clip)),
  );

  it('joins to that of a single pass if an unused stream starts earlier', async () => {
    const late = ['-itsoffset', '1', '-i', await longer(chunkSources.h264Stream)];
    const early = ['-i', await longer(chunkSources.broadcast), '-map', '0', '-map', '1:a', '-c', 'copy'];
    const source = await generatedFile('earlier.ts', [...late, ...early]);
    await expectSinglePassFile(await encodeBothWays(source, 'mp4', clip));
  });
});

/** Encodes with these cues in seconds. */
async function burn(kind: ChunkSource, cues: readonly (readonly [start: number, end: number])[]) {
  const path = join(await aTemporaryFolder(), 'cues.srt');
  const time = (seconds: number) => new Date(1000 * seconds).toISOString().slice(11, 23).replace('.', ',');
  const lines = cues.map(([start, end], index) => `${index}\n${time(start)} --> ${time(end)}\n${index} Subtitles\n`);
  await writeFile(path, lines.join('\n'));
  const recipe = { name: 'burn-subtitles', subtitles: 'https://example.com/a.srt', fontSize: 20 } as const;
  const assets = { subtitles: { path, role: 'subtitles' } } as const;
  return encodeBothWays(await chunkSource(kind), 'mp4', recipe, { assets });
}

it.each([
  'openGop',
  'broadcast',
  'interlaced',
  'cinema',
  'lateStart',
  'editList',
  'negativeTimes',
  'changingSize',
  'variableRate',
  'hdr',
] as const)('every frame of %s has the burned-in subtitles of a single pass', async (kind) => {
  // A cue starts or ends at most frames.
  const cues = Array.from({ length: 100 }, (_, index) => [index * 0.12, index * 0.12 + 0.08] as const);
  const both = await burn(kind, [...cues.slice(0, 30), [3.7, 8.123], ...cues.slice(70)]);
  await expectSinglePassFile(both);
});

it('no cut is between overlapping cues, because the position of a cue depends on the ones before it', async () => {
  // In a chunk that starts at 4.8 s, the second cue would be where the first one was.
  const both = await burn('openGop', [
    [3, 4.5],
    [3.5, 7.9],
  ]);
  const starts = both.work.chunks.map(({ startSeconds }) => startSeconds);
  expect(starts).toEqual([0, 1.6, 8]);
  await expectSinglePassFile(both);
});

it.each(['broadcast', 'changingSize'] as const)('every chunk of %s has the watermark', async (kind) => {
  const path = join(await aTemporaryFolder(), 'mark.png');
  await bareFfmpeg(['-v', 'error', '-f', 'lavfi', '-i', 'color=red:size=64x64', '-frames:v', '1', path]);
  const recipe = { name: 'watermark', image: 'https://example.com/a.png', scale: 0.5 } as const;
  const assets = { image: { path, role: 'input' } } as const;
  await expectSinglePassFile(await encodeBothWays(await chunkSource(kind), 'mp4', recipe, { assets }));
});
