import { describe, expect, it } from 'vitest';
import { type ChunkSource, chunkSource, chunkSources, madeOfOthers } from '../builders/chunk-sources.ts';
import { encodeBothWays } from '../builders/encode-chunked.ts';
import { expectAsOnePass } from '../builders/expect-as-one-pass.ts';

const kinds = [...Object.keys(chunkSources), ...madeOfOthers] as ChunkSource[];
const cut = kinds.filter((kind) => kind !== 'singleKeyframe');
const pixels = '320x180';
const recipe = { name: 'renditions' as const, heights: [180, 144] };

describe('renditions that are joined of chunks', () => {
  it.each(cut)('are those that one pass makes of %s', async (kind) => {
    const both = await encodeBothWays(await chunkSource(kind, { pixels }), 'mp4', recipe);
    expect(both.files).toHaveLength(2);
    await expectAsOnePass(both);
  });

  it.each([
    ['webm', 'vp9'],
    ['mkv', 'av1'],
    ['mov', 'h265'],
  ] as const)('are those that one pass makes as %s by %s', async (format, codec) => {
    const source = await chunkSource('lateStart', { pixels });
    await expectAsOnePass(await encodeBothWays(source, format, { ...recipe, codec }));
  });
});
