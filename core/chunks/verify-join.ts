import type { Chunk } from './chunk.ts';
import type { PartResult } from './part-result.ts';
import { entryGapSeconds, type PictureIndex, type PictureTimes, shownAt } from './picture-index.ts';
import { evenWithinSeconds, segmentStarts } from './segments.ts';
import type { SoundSpan } from './sound-span.ts';
import { secondsOf } from './ticks.ts';

/** What was measured of a file of a chunk. */
export type FoundChunk = NonNullable<PartResult['sizes']>[number];

/** Everything that the join of one size is judged by. */
export type JoinedWork = {
  /** As planned, and as measured of each chunk's file. */
  chunks: readonly { chunk: Chunk; found: FoundChunk }[];
  /** When the pictures of the source are shown. */
  source: PictureTimes;
  joined: PictureIndex;
  /** Of the file that the sound was encoded into, and of the joined one; left out where there is none. */
  sound?: { encoded: SoundSpan; joined: SoundSpan };
  /** How long the segments are into which it was packed; left out where it was not. */
  segmentSeconds?: number | undefined;
};

// MP4 says in whole milliseconds how late a track begins.
const startToleranceSeconds = 0.002;
const soundToleranceSeconds = 0.002;

/** Why a joined file is not what one pass would have made, so that one has to; nothing where it is. */
export function flawOfJoin(work: JoinedWork): string | undefined {
  const { chunks, source, joined, sound, segmentSeconds } = work;
  const starts = segmentSeconds === undefined ? undefined : segmentStarts(source, segmentSeconds);
  return (
    flawOfChunks(chunks) ??
    flawOfSetups(chunks.map(({ found }) => found)) ??
    flawOfPictures(source, joined, starts) ??
    (starts && flawOfSegments(starts, joined)) ??
    (sound && flawOfSound(sound, { isPacked: starts !== undefined }))
  );
}

/** Whether each chunk has the pictures that it was planned to have. */
export function flawOfChunks(chunks: JoinedWork['chunks']): string | undefined {
  const wrong = chunks.findIndex(({ chunk, found }) => found.pictures !== chunk.pictures);
  const at = chunks[wrong];
  if (at === undefined) return undefined;
  return `Chunk ${wrong + 1} has ${at.found.pictures} pictures; planned were ${at.chunk.pictures}`;
}

/** A file tells its decoder once how to read all of it. */
export function flawOfSetups(found: readonly Pick<FoundChunk, 'decoderSetup'>[]): string | undefined {
  const other = found.findIndex(({ decoderSetup }) => decoderSetup !== found[0]?.decoderSetup);
  return other === -1 ? undefined : `Chunk ${other + 1} is set up for decoders in another way than the first`;
}

/**
 * Whether every picture is there, and at its time: to what the clock of the joined file can say. What is packed shows the
 * first picture of a segment where the one before is said to end, which is nearly that.
 */
export function flawOfPictures(
  source: PictureTimes,
  joined: PictureIndex,
  starts: readonly number[] = [],
): string | undefined {
  const { length: count } = source.times;
  if (joined.times.length !== count) {
    return `The joined file has ${joined.times.length} pictures; the source has ${count}`;
  }
  const [planned, found] = [shownAt(source, 0), shownAt(joined, 0) + joined.beginning.containerSeconds];
  if (Math.abs(planned - found) > startToleranceSeconds) {
    return `The joined picture begins at ${found.toFixed(3)} s; planned was ${planned.toFixed(3)} s`;
  }
  const tolerance = secondsOf(1, joined.timeBase) + 1e-9;
  const first = new Set(starts);
  for (let picture = 1; picture < count; picture += 1) {
    const wanted = shownAt(source, picture) - shownAt(source, 0);
    const shown = shownAt(joined, picture) - shownAt(joined, 0);
    if (Math.abs(wanted - shown) <= tolerance + (first.has(picture) ? evenWithinSeconds : 0)) continue;
    return `Picture ${picture + 1} is shown ${shown.toFixed(4)} s after the first; planned was ${wanted.toFixed(4)} s`;
  }
  return undefined;
}

/** Whether each segment begins with a keyframe, which players enter it by. */
export function flawOfSegments(
  starts: readonly number[],
  { entries, ...joined }: PictureIndex,
): string | undefined {
  const keyframes = new Set(entries.map(({ picture }) => picture));
  let last = Number.NEGATIVE_INFINITY;
  for (const start of starts) {
    const at = shownAt(joined, start);
    // Of keyframes that are nearer to each other, an index has the first.
    if (keyframes.has(start)) last = at;
    else if (at - last >= entryGapSeconds)
      return `The segment at ${at.toFixed(3)} s does not begin with a keyframe`;
  }
  return undefined;
}

/**
 * Whether the sound came through whole, and begins and ends where it was encoded to. What is packed does not say that
 * the last packet is not played to its end.
 */
export function flawOfSound(
  { encoded, joined }: NonNullable<JoinedWork['sound']>,
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
export function measuredChunk({ times, decoderSetup }: PictureIndex): FoundChunk {
  return { pictures: times.length, ...(decoderSetup === undefined ? {} : { decoderSetup }) };
}
