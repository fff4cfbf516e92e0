// @module-tag chunks
// @module-tag quality
import { chunkSource } from '@media-jobs/video/testing';
import { expect, it } from 'vitest';
import { encodeBothWays } from '../builders/chunking/encode-both-ways.ts';
import { encodeRemote, expectSameBytes } from '../builders/chunking/encode-remote.ts';
import { expectSamePackets } from '../builders/chunking/expect-same-packets.ts';
import { expectSameStreams } from '../builders/chunking/expect-same-streams.ts';
import { expectSameFile } from '../builders/chunking/expect-single-pass-file.ts';
import { expectSinglePassStream } from '../builders/chunking/expect-single-pass-stream.ts';

// One case of each matrix of this folder, for every CI.

const compress = { name: 'compress', preset: 'ultrafast', crf: 28 } as const;
const hls = { name: 'hls', segmentSeconds: 4, preset: 'ultrafast', crf: 36 } as const;

it('an assembled file has the packets of one that ffmpeg joined', async () => {
  await expectSamePackets(await chunkSource('heldLastFrame'), 'mp4', { ...compress, preset: 'veryfast' });
});

it('an assembled stream has the frames and playlists of one that ffmpeg joined', async () => {
  await expectSameStreams(await chunkSource('openGop', { pixels: '320x240' }), hls);
});

it('HLS and DASH files in two codecs packaged from chunks are those of a single pass', async () => {
  const source = await chunkSource('openGop', { pixels: '320x240' });
  const both = await encodeBothWays(source, 'm3u8', { ...hls, codecs: ['h264', 'h265'] });
  expect(both.videos.map(({ name }) => name)).toEqual(['240p', '240p-h265']);
  await expectSinglePassStream(both);
});

it('joined videos that S3 assembles have the frames and the packets of a single pass', async () => {
  const inputs = [await chunkSource('lateAudio'), await chunkSource('openGop')] as const;
  const options = { targetChunkSeconds: 5, isAssembled: true };
  const { work, chunked, single } = await encodeBothWays(inputs, 'mp4', { name: 'concat', fps: 12 }, options);
  expect(work.audioChunks).toHaveLength(4);
  await expectSameFile(chunked, single, { isAudioCut: true });
});

it('chunks of a video with open GOPs, read from and joined from a bucket, are those of a local file', async () => {
  // x264 is not deterministic with several threads.
  const both = await encodeBothWays(await chunkSource('openGop'), 'mp4', compress, { threads: 1 });
  await expectSameBytes(both, await encodeRemote(both));
});
