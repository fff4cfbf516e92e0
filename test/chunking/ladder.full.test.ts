// @module-tag nightly
// @module-tag chunks
// @module-tag streams
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { aTemporaryFolder } from '@media-jobs/testing/temporary-folder';
import type { hls } from '@media-jobs/video/recipes';
import { type ChunkSource, chunkSource, cuttableSources } from '@media-jobs/video/testing';
import { describe, expect, it } from 'vitest';
import type * as z from 'zod';
import { encodeBothWays } from '../builders/chunking/encode-both-ways.ts';
import { expectSinglePassFile } from '../builders/chunking/expect-single-pass-file.ts';
import { expectSinglePassStream, playlistLines } from '../builders/chunking/expect-single-pass-stream.ts';

describe('renditions joined from chunks', () => {
  const pixels = '320x180';
  const recipe = { name: 'renditions' as const, heights: [180, 144] };

  it.each(cuttableSources)('are those of a single pass of %s', async (kind) => {
    const both = await encodeBothWays(await chunkSource(kind, { pixels }), 'mp4', recipe);
    expect(both.files).toHaveLength(2);
    await expectSinglePassFile(both);
  });

  it.each([
    ['webm', 'vp9'],
    ['mkv', 'av1'],
    ['mov', 'h265'],
  ] as const)('are those of a single pass as %s by %s', async (format, codec) => {
    const source = await chunkSource('lateStart', { pixels });
    await expectSinglePassFile(await encodeBothWays(source, format, { ...recipe, codec }));
  });
});

describe('HLS and DASH files packaged from chunks', () => {
  const pixels = '640x480';
  // A quality below the bit rate limit: at the limit each chunk starts with a full VBV buffer and is larger.
  const recipe = { name: 'hls', segmentSeconds: 2, crf: 36 } as const;

  const singlePass: [ChunkSource, RegExp][] = [['programStream', /have no timestamp/]];
  const packaged = cuttableSources.filter((kind) => !singlePass.some(([other]) => other === kind));

  it.each(packaged)('are those of a single pass of %s', async (kind) => {
    const both = await encodeBothWays(await chunkSource(kind, { pixels }), 'm3u8', recipe);
    expect(both.videos).toHaveLength(3);
    // Matroska rounds timestamps, and so the frame rate, to milliseconds.
    await expectSinglePassStream(both, { isRounded: kind === 'cinema' });
  });

  it.each(singlePass)('are not made from %s', async (kind, reason) => {
    const encoding = encodeBothWays(await chunkSource(kind, { pixels }), 'm3u8', recipe);
    await expect(encoding).rejects.toThrow(reason);
  });
});

describe('HLS and DASH files in three codecs packaged from chunks', () => {
  const pixels = '400x300';
  const recipe: z.input<typeof hls.request> = {
    name: 'hls',
    codecs: ['h264', 'h265', 'av1'],
    segmentSeconds: 2,
    crf: 36,
    preset: 'ultrafast',
  };
  // Of each kind of timing, and what the filters of each bit depth change.
  const kinds: ChunkSource[] = [
    ...(['openGop', 'interlaced', 'fastStretch', 'fast', 'cinema', 'hdr'] as const),
    ...(['lateStart', 'lateAudio', 'silent', 'longGap', 'editList', 'broadcast', 'earlierTrack'] as const),
  ];

  it.each(kinds)('are those of a single pass of %s', async (kind) => {
    const both = await encodeBothWays(await chunkSource(kind, { pixels }), 'm3u8', recipe);
    expect(both.videos.map(({ name }) => name)).toEqual([
      ...['300p', '240p', '300p-h265', '240p-h265', '300p-av1', '240p-av1'],
    ]);
    await expectSinglePassStream(both, { isRounded: kind === 'cinema' });
  });

  it('have the same encrypted segments and the same subtitles in their playlists', async () => {
    const source = await chunkSource('openGop', { pixels });
    const key = '00112233445566778899aabbccddeeff';
    const subtitles = [{ url: 'https://customer.example/it.srt', language: 'it', name: 'Italiano' }];
    const encryption = { scheme: 'aes-128', key, keyUri: 'https://keys.example/film' } as const;
    const path = join(await aTemporaryFolder(), 'it.srt');
    await writeFile(path, '1\n00:00:05,000 --> 00:00:09,000\nCiao\n');
    const both = await encodeBothWays(
      source,
      'm3u8',
      { ...recipe, subtitles, encryption },
      { assets: { 'subtitles.0': { path, role: 'subtitles' } } },
    );
    const playlists = both.files.filter(({ output }) => output.expectation?.referencesFiles);
    expect(playlists.map(({ output }) => output.name)).toContain('subtitles-1-playlist');
    for (const { single, chunked } of playlists)
      expect(await playlistLines(chunked)).toEqual(await playlistLines(single));
  });
});
