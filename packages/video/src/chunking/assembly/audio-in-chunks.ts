import type { MovieTrack } from '../../media/mp4/read-movie.ts';
import type { AudioRange } from '../frame-index/audio-range.ts';
import { packetSeconds, type TrackChunk } from '../plan/cut-audio.ts';
import type { Chunk } from '../plan/cut-video.ts';

/**
 * The packets of one track of a chunk that lie beside its video, by the index of their file. Times count from the start
 * of the chunk's first packet, as in a file of its own.
 */
export function audioInChunk(
  { samples, mediaTime, emptyTicks, timescale }: MovieTrack,
  { chunk, track }: { chunk: Pick<Chunk, 'startSeconds'>; track: TrackChunk },
): AudioRange {
  const { dts, lastTicks, sizes } = samples;
  const startSeconds =
    (emptyTicks - mediaTime) / timescale + chunk.startSeconds - packetSeconds(track, track.firstPacket);
  const ticks = (dts.at(-1) ?? 0) + lastTicks;
  return {
    packets: sizes.length,
    sizeBytes: sizes.reduce((sum, size) => sum + size, 0),
    startSeconds,
    endSeconds: startSeconds + ticks / timescale,
  };
}
