import type { AudioRange } from '../frame-index/audio-range.ts';
import {
  type FrameIndex,
  type FrameTimes,
  frameSeconds,
  minKeyframeGapSeconds,
} from '../frame-index/frame-index.ts';
import { ticksToSeconds } from '../frame-index/time-base.ts';
import type { Chunk } from '../plan/chunk.ts';
import { maxFrameDurationJitterSeconds, segmentStarts } from '../plan/segment-starts.ts';
import type { ChunkResult } from './chunk-result.ts';

/** What was measured of a file of a chunk. */
export type ChunkMeasurement = NonNullable<ChunkResult['renditions']>[number];

/** Everything that the join of one size is judged by. */
export type JoinMeasurements = {
  /** As planned, and as measured of each chunk's file. */
  chunks: readonly { chunk: Chunk; found: ChunkMeasurement }[];
  /** When the pictures of the source are shown. */
  source: FrameTimes;
  joined: FrameIndex;
  /** Of the file that the sound was encoded into, and of the joined one; left out where there is none. */
  audio?: { encoded: AudioRange; joined: AudioRange };
  /** How long the segments are into which it was packed; left out where it was not. */
  segmentSeconds?: number | undefined;
};

// MP4 says in whole milliseconds how late a track begins.
const startToleranceSeconds = 0.002;
const soundToleranceSeconds = 0.002;

/** Why a joined file is not what one pass would have made, so that one has to; nothing where it is. */
export function findJoinDefect(work: JoinMeasurements): string | undefined {
  const { chunks, source, joined, audio, segmentSeconds } = work;
  const starts = segmentSeconds === undefined ? undefined : segmentStarts(source, segmentSeconds);
  return (
    findFrameCountDefect(chunks) ??
    findExtradataDefect(chunks.map(({ found }) => found)) ??
    findTimestampDefect(source, joined, starts) ??
    (starts && findSegmentDefect(starts, joined)) ??
    (audio && findAudioDefect(audio, { isPacked: starts !== undefined }))
  );
}

/** Whether each chunk has the pictures that it was planned to have. */
export function findFrameCountDefect(chunks: JoinMeasurements['chunks']): string | undefined {
  const wrong = chunks.findIndex(({ chunk, found }) => found.frames !== chunk.frames);
  const at = chunks[wrong];
  if (at === undefined) return undefined;
  return `Chunk ${wrong + 1} has ${at.found.frames} pictures; planned were ${at.chunk.frames}`;
}

/** A file tells its decoder once how to read all of it. */
export function findExtradataDefect(
  found: readonly Pick<ChunkMeasurement, 'extradataHash'>[],
): string | undefined {
  const other = found.findIndex(({ extradataHash }) => extradataHash !== found[0]?.extradataHash);
  return other === -1 ? undefined : `Chunk ${other + 1} is set up for decoders in another way than the first`;
}

/**
 * Whether every picture is there, and at its time: to what the clock of the joined file can say. What is packed shows the
 * first picture of a segment where the one before is said to end, which is nearly that.
 */
export function findTimestampDefect(
  source: FrameTimes,
  joined: FrameIndex,
  starts: readonly number[] = [],
): string | undefined {
  const { length: count } = source.pts;
  if (joined.pts.length !== count) {
    return `The joined file has ${joined.pts.length} pictures; the source has ${count}`;
  }
  const [planned, found] = [
    frameSeconds(source, 0),
    frameSeconds(joined, 0) + joined.timelineOrigin.containerSeconds,
  ];
  if (Math.abs(planned - found) > startToleranceSeconds) {
    return `The joined picture begins at ${found.toFixed(3)} s; planned was ${planned.toFixed(3)} s`;
  }
  const tolerance = ticksToSeconds(1, joined.timeBase) + 1e-9;
  const first = new Set(starts);
  for (let picture = 1; picture < count; picture += 1) {
    const wanted = frameSeconds(source, picture) - frameSeconds(source, 0);
    const shown = frameSeconds(joined, picture) - frameSeconds(joined, 0);
    if (Math.abs(wanted - shown) <= tolerance + (first.has(picture) ? maxFrameDurationJitterSeconds : 0))
      continue;
    return `Picture ${picture + 1} is shown ${shown.toFixed(4)} s after the first; planned was ${wanted.toFixed(4)} s`;
  }
  return undefined;
}

/** Whether each segment begins with a keyframe, which players enter it by. */
export function findSegmentDefect(
  starts: readonly number[],
  { keyframes: entries, ...joined }: FrameIndex,
): string | undefined {
  const keyframes = new Set(entries.map(({ frame }) => frame));
  let last = Number.NEGATIVE_INFINITY;
  for (const start of starts) {
    const at = frameSeconds(joined, start);
    // Of keyframes that are nearer to each other, an index has the first.
    if (keyframes.has(start)) last = at;
    else if (at - last >= minKeyframeGapSeconds)
      return `The segment at ${at.toFixed(3)} s does not begin with a keyframe`;
  }
  return undefined;
}

/**
 * Whether the sound came through whole, and begins and ends where it was encoded to. What is packed does not say that
 * the last packet is not played to its end.
 */
export function findAudioDefect(
  { encoded, joined }: NonNullable<JoinMeasurements['audio']>,
  { isPacked }: { isPacked: boolean },
): string | undefined {
  if (encoded.packets !== joined.packets) {
    return `The joined sound has ${joined.packets} packets; ${encoded.packets} were encoded`;
  }
  const packetSeconds = (joined.endSeconds - joined.startSeconds) / joined.packets;
  for (const [what, side] of [
    ['begins', 'startSeconds'],
    ['ends', 'endSeconds'],
  ] as const) {
    const late = joined[side] - encoded[side];
    const most = soundToleranceSeconds + (isPacked && side === 'endSeconds' ? packetSeconds : 0);
    if (late >= -soundToleranceSeconds && late <= most) continue;
    return `The joined sound ${what} at ${joined[side].toFixed(3)} s; it was encoded to ${encoded[side].toFixed(3)} s`;
  }
  return undefined;
}

/** What a finished chunk is kept as for the join. */
export function measureChunk({ pts, extradataHash }: FrameIndex): ChunkMeasurement {
  return { frames: pts.length, ...(extradataHash === undefined ? {} : { extradataHash }) };
}
