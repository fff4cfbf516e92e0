import { minKeyframeSeconds } from '../../encoding/ladder/segmenting.ts';
import { type FrameTimes, frameSeconds } from '../frame-index/frame-index.ts';

/** First frames of the segments: those that `segmentKeyframes` forces to keyframes in a single pass. */
export function segmentStarts({ pts, timeBase }: FrameTimes, segmentSeconds: number): number[] {
  const starts: number[] = [];
  const [firstPts = 0] = pts;
  // One multiplication per frame, as in ffmpeg: its result for a whole second may be a rounding error less.
  const tickSeconds = timeBase.numerator / timeBase.denominator;
  const minSeconds = minKeyframeSeconds(segmentSeconds);
  let lastSeconds = Number.NEGATIVE_INFINITY;
  for (const [frame, time] of pts.entries()) {
    const seconds = (time - firstPts) * tickSeconds;
    if (seconds < lastSeconds + minSeconds) continue;
    starts.push(frame);
    lastSeconds = seconds;
  }
  return starts;
}

// x264 starts with a VBV buffer that is 90 % full: a segment of 95 % of the length still keeps the bit rate.
const minFullSegmentShare = 0.95;

/**
 * Segment starts at which a chunk may start. A new encoder starts with a fuller VBV buffer than a single pass may have;
 * a full segment on both sides bounds the peak.
 */
export function chunkableSegmentStarts(
  source: FrameTimes,
  { starts, segmentSeconds }: { starts: readonly number[]; segmentSeconds: number },
): number[] {
  const minSeconds = minFullSegmentShare * segmentSeconds;
  const lastFrame = source.pts.length - 1;
  return starts.filter((start, index) => {
    const previous = starts[index - 1];
    if (previous === undefined) return false;
    const startSeconds = frameSeconds(source, start);
    const endSeconds = frameSeconds(source, starts[index + 1] ?? lastFrame);
    return (
      startSeconds - frameSeconds(source, previous) >= minSeconds && endSeconds - startSeconds >= minSeconds
    );
  });
}

/** Tolerated difference between frame durations around a segment start. */
export const maxFrameDurationJitterSeconds = 0.002;

// Upper bound of the number of positions between decoding and presentation order of a frame.
const maxReorderedFrames = 16;

/**
 * The first segment start, in seconds, that follows frames of unequal duration; undefined if there is none. The dash
 * muxer starts a segment where it expects the previous one to end, which it computes from the frames before in decoding
 * order.
 */
export function findIrregularSegmentStart(source: FrameTimes, segmentSeconds: number): number | undefined {
  const durationOf = (frame: number) => frameSeconds(source, frame + 1) - frameSeconds(source, frame);
  const start = segmentStarts(source, segmentSeconds).find((frame) => {
    const durations = Array.from({ length: Math.min(maxReorderedFrames, frame) }, (_, back) =>
      durationOf(frame - 1 - back),
    );
    return Math.max(...durations) - Math.min(...durations) > maxFrameDurationJitterSeconds;
  });
  return start === undefined ? undefined : frameSeconds(source, start);
}
