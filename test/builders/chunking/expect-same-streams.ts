import { chunkedRenditions } from '@media-jobs/video/chunking';
import { type Packet, packetsOf, streamsOf } from '@media-jobs/video/testing';
import { expect } from 'vitest';
import { type BothWays, encodeBothWays } from './encode-both-ways.ts';
import { playlistLines } from './expect-single-pass-stream.ts';

type Recipe = Parameters<typeof encodeBothWays>[2];

/**
 * Encodes a stream in the same chunks twice: ffmpeg joins the one, the other is assembled. Both have the same frames at the
 * same times, and playlists that differ in byte ranges and bit rates at most. Frames are decoded at the times of a single
 * pass, where ffmpeg moves those that meet. Assembled renditions have the very bytes of their chunks.
 */
export async function expectSameStreams(path: string, recipe: Recipe): Promise<BothWays> {
  const joined = await encodeBothWays(path, 'm3u8', recipe, { threads: 1 });
  const assembled = await encodeBothWays(path, 'm3u8', recipe, { threads: 1, isAssembled: true });
  expect(assembled.work).toMatchObject({ hasFinalFragments: true, chunks: joined.work.chunks });
  expect(assembled.work.chunks.length).toBeGreaterThan(1);
  for (const [number, { output, chunked, single }] of assembled.files.entries()) {
    const other = joined.files[number]?.chunked ?? '';
    const { video, audio, referencesFiles } = output.expectation ?? {};
    if (referencesFiles) expect(await playlistLines(chunked)).toEqual(await playlistLines(other));
    if (audio) expect(await packetsOf(chunked)).toEqual(await packetsOf(other));
    if (video) await expectSameRendition({ chunked, other, single, codec: video.codec });
  }
  await expectBytesOfChunks(assembled);
  return assembled;
}

async function expectSameRendition({
  chunked,
  other,
  single,
  codec,
}: {
  chunked: string;
  other: string;
  single: string;
  codec: string;
}): Promise<void> {
  const [packets, expected] = [await packetsOf(chunked), await packetsOf(other)];
  expect(packets.map(({ pts, flags }) => ({ pts, flags }))).toEqual(expected.map(({ pts, flags }) => ({ pts, flags })));
  // ffmpeg's concat demuxer repeats the decoder configuration before each chunk. x265 and SVT-AV1 vary from run to run.
  if (codec === 'h264')
    expect(packets.filter(isDependent).map(hashOf)).toEqual(expected.filter(isDependent).map(hashOf));
  const decoded = (await packetsOf(single)).map(({ dts }) => dts);
  expect(packets.map(({ dts }) => dts)).toEqual(decoded);
  const [[stream], [expectedStream]] = [await streamsOf(chunked), await streamsOf(other)];
  for (const field of ['codec_name', 'profile', 'level', 'time_base', 'start_pts', 'duration_ts', 'extradata_size'])
    expect([field, stream?.[field]]).toEqual([field, expectedStream?.[field]]);
}

async function expectBytesOfChunks({ work, tasks, files }: BothWays): Promise<void> {
  const videos = files.filter(({ output }) => output.expectation?.video);
  for (const [rendition, { chunks }] of chunkedRenditions(work).entries()) {
    const encoded: string[] = [];
    for (const { task, file } of chunks) {
      encoded.push(...(await packetsOf(tasks[task]?.paths[file] ?? '', { ignoresEdits: true })).map(hashOf));
    }
    const assembled = await packetsOf(videos[rendition]?.chunked ?? '', { ignoresEdits: true });
    expect(assembled.map(hashOf)).toEqual(encoded);
  }
}

function isDependent({ flags }: Packet): boolean {
  return !flags.includes('K');
}

function hashOf({ data_hash }: Packet): string {
  return data_hash;
}
