import { describe, expect, it } from 'vitest';
import {
  type ChunkSource,
  chunkSource,
  chunkSources,
  madeOfOthers,
} from '../builders/chunking/chunk-sources.ts';
import { encodeBothWays } from '../builders/chunking/encode-both-ways.ts';
import { expectSinglePassFile } from '../builders/chunking/expect-single-pass-file.ts';
import { expectSinglePassStream } from '../builders/chunking/expect-single-pass-stream.ts';

const kinds = [...Object.keys(chunkSources), ...madeOfOthers] as ChunkSource[];
const cut = kinds.filter((kind) => kind !== 'singleKeyframe');

describe('renditions joined from chunks', () => {
  const pixels = '320x180';
  const recipe = { name: 'renditions' as const, heights: [180, 144] };

  it.each(cut)('are those of a single pass of %s', async (kind) => {
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
  const packaged = cut.filter((kind) => !singlePass.some(([other]) => other === kind));

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
