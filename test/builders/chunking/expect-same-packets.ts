import { type Packet, packetsOf, streamsOf } from '@media-jobs/video/testing';
import { expect } from 'vitest';
import { type BothWays, encodeBothWays } from './encode-both-ways.ts';

type EncodeParameters = Parameters<typeof encodeBothWays>;

/**
 * Encodes the same chunks twice: ffmpeg joins the one, the other are assembled. Both have the same packets at the same times,
 * to the tick, and an assembled file has the very bytes of its chunks. What ffmpeg joins of H.264 has the decoder
 * configuration before each chunk too: its concat demuxer repeats it.
 */
export async function expectSamePackets(
  path: string,
  format: EncodeParameters[1],
  recipe: EncodeParameters[2],
  { targetChunkSeconds = 4 }: { targetChunkSeconds?: number } = {},
): Promise<BothWays> {
  const options = { threads: 1, targetChunkSeconds };
  const joined = await encodeBothWays(path, format, recipe, { ...options, audioChunks: 'as video' });
  const assembled = await encodeBothWays(path, format, recipe, { ...options, isAssembled: true });
  expect(assembled.work.chunks.length).toBeGreaterThan(1);
  for (const [rendition, { chunked }] of assembled.files.entries()) {
    const other = joined.files[rendition]?.chunked ?? '';
    const [packets, expected] = [await packetsOf(chunked), await packetsOf(other)];
    const isH264 = (await streamsOf(chunked)).some(({ codec_name }) => codec_name === 'h264');
    expect(packets.map((packet) => comparable(packet, isH264))).toEqual(
      expected.map((packet) => comparable(packet, isH264)),
    );
    const stored = await packetsOf(chunked, { ignoresEdits: true });
    expect(stored.map(bytesOf)).toEqual((await packetsOfChunks(assembled, rendition)).map(bytesOf));
    expect((await streamsOf(chunked)).map(describing)).toEqual((await streamsOf(other)).map(describing));
  }
  return assembled;
}

function comparable({ size, data_hash, ...packet }: Packet, isH264: boolean) {
  return isH264 && packet.stream_index === 0 ? packet : { size, data_hash, ...packet };
}

/** Without what depends on those bytes, and the name of the encoder, which a join by ffmpeg does not keep. */
function describing({ bit_rate: _, tags, ...stream }: Record<string, unknown>) {
  return { ...stream, tags: { ...(tags as Record<string, unknown>), encoder: undefined } };
}

function bytesOf({ stream_index, size, data_hash }: Packet) {
  return { stream_index, size, data_hash };
}

/** The packets of all chunks, in the order of the streams. */
async function packetsOfChunks({ work, tasks }: BothWays, rendition: number): Promise<Packet[]> {
  const packets: Packet[] = [];
  for (const { paths } of tasks.slice(0, work.chunks.length)) {
    packets.push(...(await packetsOf(paths[rendition] ?? '', { ignoresEdits: true })));
  }
  return packets.toSorted((one, other) => one.stream_index - other.stream_index);
}
