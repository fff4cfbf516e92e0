import { expect, it } from 'vitest';
import { chunkSource } from '../builders/chunking/chunk-sources.ts';
import { encodeBothWays } from '../builders/chunking/encode-both-ways.ts';
import { expectSinglePassStream } from '../builders/chunking/expect-single-pass-stream.ts';

it('HLS and DASH files in two codecs packaged from chunks are those of a single pass', async () => {
  const both = await encodeBothWays(await chunkSource('openGop', { pixels: '320x240' }), 'm3u8', {
    name: 'hls',
    codecs: ['h264', 'h265'],
    segmentSeconds: 4,
    crf: 36,
    preset: 'ultrafast',
  });
  expect(both.videos.map(({ name }) => name)).toEqual(['240p', '240p-h265']);
  await expectSinglePassStream(both);
});
