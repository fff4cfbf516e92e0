import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  type ChunkSource,
  chunkSource,
  chunkSources,
  madeOfOthers,
} from '../builders/chunking/chunk-sources.ts';
import { encodeBothWays } from '../builders/chunking/encode-both-ways.ts';
import { expectSinglePassFile } from '../builders/chunking/expect-single-pass-file.ts';
import { audioSamples, residualDb } from '../builders/measure/measure-audio.ts';
import { bareFfmpeg } from '../builders/media/bare-ffmpeg.ts';
import { aTemporaryDirectory } from '../builders/recipes/encode.ts';

const kinds = [...Object.keys(chunkSources), ...madeOfOthers] as ChunkSource[];
const cut = kinds.filter((kind) => kind !== 'singleKeyframe');

describe.each(cut)('chunks of %s', (kind) => {
  it('join to the file of a single pass', async () => {
    await expectSinglePassFile(
      await encodeBothWays(await chunkSource(kind), 'mp4', { name: 'compress', crf: 23 }),
    );
  });
});

describe.each([
  ['webm', { name: 'transcode', codec: 'vp9' }],
  ['mkv', { name: 'transcode', codec: 'h264' }],
  ['mkv', { name: 'transcode', codec: 'av1' }],
  ['mp4', { name: 'transcode', codec: 'h265' }],
  ['mov', { name: 'rotate', degrees: 90 }],
] as const)('chunks written as %s by %o', (format, recipe) => {
  it.each([
    'openGop',
    'mpeg2OpenGop',
    'film',
    'broadcast',
    'lateAudio',
    'lateStart',
    'variableRate',
  ] as const)('join to the file of a single pass of %s', async (kind) => {
    await expectSinglePassFile(await encodeBothWays(await chunkSource(kind), format, recipe));
  });
});

it.each([
  ['mp4', { name: 'transcode', codec: 'h264' }],
  ['mp4', { name: 'transcode', codec: 'h265' }],
  ['webm', { name: 'transcode', codec: 'vp9' }],
  ['mkv', { name: 'transcode', codec: 'av1' }],
] as const)(
  'chunks encoded by one thread each join to the %s of a single pass by %o',
  async (format, recipe) => {
    await expectSinglePassFile(
      await encodeBothWays(await chunkSource('film'), format, recipe, { threads: 1 }),
    );
  },
);

it('a sine in the audio of a chunked encoding has no clicks at the seams', async () => {
  const recipe = { name: 'compress', audioBitrate: 288 } as const;
  const { chunked, work } = await encodeBothWays(await chunkSource('pureTone'), 'mp4', recipe);
  expect(work.chunks.length).toBeGreaterThan(2);
  expect(residualDb(await audioSamples(chunked), { hertz: 440 })).toBeLessThan(-60);
});

it('a video with burned-in subtitles takes a single pass, because their file is local', async () => {
  const path = join(await aTemporaryDirectory(), 'cues.srt');
  await writeFile(path, '1\n00:00:02,000 --> 00:00:05,000\nFirst\n');
  const recipe = { name: 'burn-subtitles', subtitles: 'https://example.com/a.srt', fontSize: 15 } as const;
  const assets = { subtitles: { path, role: 'subtitles' } } as const;
  const both = encodeBothWays(await chunkSource('lateStart'), 'mp4', recipe, { assets });
  await expect(both).rejects.toThrow('Encoded in a single pass: a filter draws text from a local file');
});

it.each(['broadcast', 'changingSize'] as const)('every chunk of %s has the watermark', async (kind) => {
  const path = join(await aTemporaryDirectory(), 'mark.png');
  await bareFfmpeg(['-v', 'error', '-f', 'lavfi', '-i', 'color=red:size=64x64', '-frames:v', '1', path]);
  const recipe = { name: 'watermark', image: 'https://example.com/a.png', scale: 0.5 } as const;
  const assets = { image: { path, role: 'input' } } as const;
  await expectSinglePassFile(await encodeBothWays(await chunkSource(kind), 'mp4', recipe, { assets }));
});
