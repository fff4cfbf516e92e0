// @module-tag nightly
// @module-tag chunks
// @module-tag audio
import {
  type AudioSource,
  audioErrorsDb,
  audioSource,
  audioSources,
  encodeOne,
  packetsOf,
  percentile99,
} from '@media-jobs/video/testing';
import { describe, expect, it } from 'vitest';
import { encodeBothWays } from '../builders/chunking/encode-both-ways.ts';
import { expectNoSeams, expectSinglePassTimes } from '../builders/chunking/expect-single-pass-audio.ts';

const { long: _, large: __, ...others } = audioSources;
const kinds = [...Object.keys(others), 'editList'] as AudioSource[];
const recipe = { name: 'transcode', preset: 'ultrafast' } as const;
const options = { audioChunks: 3, targetChunkSeconds: 10 };

describe.each(['mp4', 'mov', 'mkv', 'webm'] as const)('audio in chunks, in %s', (format) => {
  it.each(kinds)('joins to the times and length of a single pass of %s', async (kind) => {
    const codec = format === 'webm' ? { codec: 'vp9' as const } : {};
    const source = await audioSource(kind);
    await expectSinglePassTimes(await encodeBothWays(source, format, { ...recipe, ...codec }, options), 3);
  });
});

it.each(['opus', 'eac3'] as const)('%s in chunks joins to the times of a single pass in MP4', async (audioCodec) => {
  for (const kind of ['aac', 'lateAudio', 'compactDisc', 'surround'] as const) {
    const both = await encodeBothWays(await audioSource(kind), 'mp4', { ...recipe, audioCodec }, options);
    await expectSinglePassTimes(both, 3);
  }
});

it.each(['aac', 'lateAudio', 'lateVideo', 'shortAudio', 'severalTracks', 'compactDisc'] as const)(
  'the audio of a stream of %s is padded once, and joins to that of a single pass',
  async (kind) => {
    const hls = { name: 'hls', preset: 'ultrafast', segmentSeconds: 4 } as const;
    await expectSinglePassTimes(await encodeBothWays(await audioSource(kind), 'm3u8', hls, options), 3);
  },
);

it('all renditions get the same chunks', async () => {
  const renditions = { name: 'renditions' as const, heights: [180, 144] };
  await expectSinglePassTimes(await encodeBothWays(await audioSource('large'), 'mp4', renditions, options), 3);
});

it.each([
  ['mp4', { ...recipe, audioCodec: 'aac', audioBitrate: 96 }],
  ['mp4', { ...recipe, audioCodec: 'aac', audioBitrate: 256 }],
  ['mkv', { ...recipe, audioCodec: 'opus', audioBitrate: 64 }],
  ['mkv', { ...recipe, audioCodec: 'opus', audioBitrate: 128 }],
  ['mp4', { ...recipe, audioCodec: 'eac3', audioBitrate: 192 }],
] as const)('the error at 17 seams equals that elsewhere, in %s by %o', async (format, transcode) => {
  const source = await audioSource('long');
  const both = await encodeBothWays(source, format, transcode, { audioChunks: 18, targetChunkSeconds: 50 });
  await expectSinglePassTimes(both, 18);
  await expectNoSeams(both);
});

describe.each(['mp4', 'mov'] as const)('a copy of the audio, in %s', (format) => {
  it.each(['aac', 'lateAudio', 'lateVideo', 'shortAudio', 'compactDisc'] as const)(
    'has the packets of %s in chunks and in a single pass',
    async (kind) => {
      const source = await audioSource(kind);
      const both = await encodeBothWays(source, format, { ...recipe, audioBitrate: 256 }, options);
      await expectSinglePassTimes(both, 3);
      const [chunked, single, original] = await Promise.all(
        [both.chunked, both.single, source].map(async (path) =>
          (await packetsOf(path)).flatMap(({ stream_index: stream, pts, data_hash: hash }) =>
            stream === 1 ? [{ pts, hash }] : [],
          ),
        ),
      );
      expect(single).toEqual(original);
      expect(chunked).toEqual(original);
    },
  );
});

it('left and right of mono tracks stay together in chunks', async () => {
  const source = await audioSource('monoTracks');
  const both = await encodeBothWays(source, 'mp4', recipe, options);
  const { path } = await encodeOne(source, 'wav', { name: 'extract-audio' });
  const [chunked, single] = [await audioErrorsDb(both.chunked, path), await audioErrorsDb(both.single, path)];
  expect(percentile99(chunked)).toBeLessThan(percentile99(single) + 1);
  await expectNoSeams(both, path);
});

it.each([
  ['a change of speed', 'aac', { name: 'speed', factor: 1.5 }],
  ['a source without an index', 'matroska', recipe],
  ['a source whose times were rounded', 'roundedTimes', recipe],
  ['a pair of mono tracks that differ in length', 'shortRight', recipe],
] as const)('%s has its audio as one task', async (_, kind, transcode) => {
  const both = await encodeBothWays(await audioSource(kind), 'mp4', transcode, options);
  expect(both.work.audioChunks).toBeUndefined();
});
