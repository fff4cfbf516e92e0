// @module-tag nightly
// @module-tag chunks
// @module-tag streams
import { type ChunkSource, chunkSource, cuttableSources } from '@media-jobs/video/testing';
import { expect, it } from 'vitest';
import { encodeBothWays } from '../builders/chunking/encode-both-ways.ts';
import { expectSameStreams } from '../builders/chunking/expect-same-streams.ts';
import { expectSinglePassStream } from '../builders/chunking/expect-single-pass-stream.ts';

const pixels = '400x300';
const recipe = { name: 'hls', segmentSeconds: 2, crf: 36, preset: 'veryfast' } as const;

// Its packets have no timestamps, so it takes a single pass.
const singlePass: ChunkSource = 'programStream';
// Its times are rounded to milliseconds, and ffmpeg's join rounds them again.
const rounded: ChunkSource = 'cinema';
const kinds = cuttableSources.filter((kind) => kind !== rounded && kind !== singlePass);

it.each(kinds)('a stream of %s, assembled and joined by ffmpeg, has the same frames', async (kind) => {
  const { videos } = await expectSameStreams(await chunkSource(kind, { pixels }), recipe);
  expect(videos.map(({ name }) => name)).toEqual(['300p', '240p']);
});

it.each<ChunkSource>(['openGop', 'variableRate', 'lateStart', 'broadcast', 'heldLastFrame'])(
  'a stream of %s in three codecs, assembled and joined by ffmpeg, has the same frames',
  async (kind) => {
    const codecs: ['h264', 'h265', 'av1'] = ['h264', 'h265', 'av1'];
    await expectSameStreams(await chunkSource(kind, { pixels }), { ...recipe, codecs });
  },
);

it(`an assembled stream of ${rounded} is that of a single pass`, async () => {
  const codecs: ['h264', 'h265'] = ['h264', 'h265'];
  const options = { ...recipe, segmentSeconds: 4, codecs };
  const source = await chunkSource(rounded, { pixels: '320x240' });
  await expectSinglePassStream(await encodeBothWays(source, 'm3u8', options, { isAssembled: true }));
});
