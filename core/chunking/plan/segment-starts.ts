import { minKeyframeSeconds } from '../../encoding/ladder/segmenting.ts';
import { type FrameTimes, frameSeconds } from '../frame-index/frame-index.ts';

/** The pictures with which segments begin: those that one pass makes keyframes, by `segmentKeyframes`. */
export function segmentStarts({ pts, timeBase }: FrameTimes, segmentSeconds: number): number[] {
  const starts: number[] = [];
  const [first = 0] = pts;
  // Multiplied as ffmpeg does it: a whole number of seconds may come out a hair less.
  const secondsOfTick = timeBase.numerator / timeBase.denominator;
  const least = minKeyframeSeconds(segmentSeconds);
  let last = Number.NEGATIVE_INFINITY;
  for (const [picture, time] of pts.entries()) {
    const seconds = (time - first) * secondsOfTick;
    if (seconds < last + least) continue;
    starts.push(picture);
    last = seconds;
  }
  return starts;
}

// A rate may still be kept with so much of a whole segment where an encoder begins anew: x264 begins with a buffer that
// is nine tenths full.
const leastShare = 0.95;

/**
 * The starts with which a chunk may begin. An encoder that begins there with a fuller buffer than one pass may have spends
 * more at once; between two whole segments that stays below what one pass may take.
 */
export function chunkableSegmentStarts(
  source: FrameTimes,
  { starts, segmentSeconds }: { starts: readonly number[]; segmentSeconds: number },
): number[] {
  const least = leastShare * segmentSeconds;
  const last = source.pts.length - 1;
  return starts.filter((start, index) => {
    const before = starts[index - 1];
    if (before === undefined) return false;
    const at = frameSeconds(source, start);
    const end = frameSeconds(source, starts[index + 1] ?? last);
    return at - frameSeconds(source, before) >= least && end - at >= least;
  });
}

/** What pictures may differ in how long they are shown where segments begin. */
export const maxFrameDurationJitterSeconds = 0.002;

// More than the order of pictures in a file differs from that on the screen.
const reordered = 16;

/**
 * When the first segment begins that comes after pictures of uneven length, if any does. What is packed shows its first
 * picture where those before it seem to end, as far as their order in the file lets one tell.
 */
export function findIrregularSegmentStart(source: FrameTimes, segmentSeconds: number): number | undefined {
  const lengthOf = (picture: number) => frameSeconds(source, picture + 1) - frameSeconds(source, picture);
  const start = segmentStarts(source, segmentSeconds).find((picture) => {
    const lengths = Array.from({ length: Math.min(reordered, picture) }, (_, back) =>
      lengthOf(picture - 1 - back),
    );
    return Math.max(...lengths) - Math.min(...lengths) > maxFrameDurationJitterSeconds;
  });
  return start === undefined ? undefined : frameSeconds(source, start);
}
