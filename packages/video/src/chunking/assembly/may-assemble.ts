import type { PlanCost } from '../../cost-model/plan-cost.ts';
import { targetOf } from '../../encoding/encoding.ts';
import type { MovieTrack } from '../../media/mp4/read-movie.ts';
import type { AudioRange } from '../../media/mp4/read-track.ts';
import { functionDiskBytes } from '../../media/probe/input-limits.ts';
import type { ChunkedWork } from '../plan/chunk-plan.ts';
import { packetSeconds, type TrackChunk } from '../plan/cut-audio.ts';
import type { Chunk } from '../plan/cut-video.ts';

export type WorkToJoin = Pick<ChunkedWork, 'format' | 'encoding' | 'comparesWithSource'> & {
  /** A storage provider gets the outputs. */
  isForProvider: boolean;
  hasAudio: boolean;
};

/** Whether S3 may assemble the outputs of chunks. ffmpeg joins others on a disk, which moves their bytes twice. */
export function mayAssemble({ format, encoding, hasAudio, ...work }: WorkToJoin): boolean {
  // Matroska has an index of its own in the data of each chunk. A stream has its audio in other files.
  if (encoding.segmenting !== undefined || (format !== 'mp4' && format !== 'mov')) return false;
  // S3 copies nothing to the account of a provider. A comparison decodes the whole file anyway.
  if (work.isForProvider || work.comparesWithSource) return false;
  // Encoded several times until it has its bytes; in a file of a given size, the audio comes first.
  return !(hasAudio && targetOf(encoding) !== undefined);
}

export type StreamToJoin = Pick<ChunkedWork, 'encoding'> & {
  outputs: readonly Pick<ChunkedWork['outputs'][number], 'playlist'>[];
  /** A storage provider gets the outputs. */
  isForProvider: boolean;
};

/** Whether S3 may assemble the renditions of a stream from the fragments of the chunks. ffmpeg joins the audio. */
export function mayAssembleStream({ encoding, outputs, isForProvider }: StreamToJoin): boolean {
  // Encryption reads the finished files, and changes the bytes and sizes of their fragments.
  const isEncrypted = outputs.some(({ playlist }) => playlist?.encryption !== undefined);
  return encoding.segmenting !== undefined && !isEncrypted && !isForProvider;
}

/** Why the disk of a function has no room to join the chunks; undefined if it has, or if S3 assembles them. */
export function joinDiskReason(
  { isAssembled, hasFinalFragments }: Pick<ChunkedWork, 'isAssembled' | 'hasFinalFragments'>,
  { outputBytes }: Pick<PlanCost, 'outputBytes'>,
): string | undefined {
  if (isAssembled || hasFinalFragments || outputBytes <= functionDiskBytes) return undefined;
  return `its outputs would have about ${gigabytes(outputBytes)} GB, and the disk on which chunks are joined has ${gigabytes(functionDiskBytes)} GB`;
}

function gigabytes(bytes: number): number {
  return Math.round(bytes / 1e9);
}

/** The packets of a track beside the video of a chunk, by the index of the file. Times count from the first of them. */
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
