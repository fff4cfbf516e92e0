import { describe, expect, it } from 'vitest';
import { type ChunkSource, chunkSource, chunkSources } from '../builders/chunk-sources.ts';
import { encodeBothWays } from '../builders/encode-chunked.ts';
import { expectAsOnePass } from '../builders/expect-as-one-pass.ts';
import { residualDecibels, samplesOf } from '../builders/judge-sound.ts';

const kinds = [...Object.keys(chunkSources), 'editList', 'negativeTimes'] as ChunkSource[];
const cut = kinds.filter((kind) => kind !== 'singleKeyframe');

describe.each(cut)('chunks of %s', (kind) => {
  it('make the file that one pass makes', async () => {
    await expectAsOnePass(
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
  it.each(['openGop', 'film', 'broadcast', 'lateSound', 'lateStart', 'variableRate'] as const)(
    'make of %s the file that one pass makes',
    async (kind) => {
      await expectAsOnePass(await encodeBothWays(await chunkSource(kind), format, recipe));
    },
  );
});

it('leave a sine a sine, at the seams too', async () => {
  const recipe = { name: 'compress', audioBitrate: 288 } as const;
  const { chunked, parts } = await encodeBothWays(await chunkSource('pureTone'), 'mp4', recipe);
  expect(parts.chunks.length).toBeGreaterThan(2);
  expect(residualDecibels(await samplesOf(chunked), { hertz: 440 })).toBeLessThan(-60);
});
