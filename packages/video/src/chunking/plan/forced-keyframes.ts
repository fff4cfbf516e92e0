import { minKeyframeInterval } from '../../encoding/ladder/segmenting.ts';
import { type FrameTimes, frameSeconds } from '../frame-index/frame-index.ts';

/** The frames that `keyframesEvery` forces to keyframes in a single pass. */
export function forcedKeyframes({ pts, timeBase }: FrameTimes, keyframeIntervalSeconds: number): number[] {
  const starts: number[] = [];
  const [firstPts = 0] = pts;
  // One multiplication per frame, as in ffmpeg: its result for a whole second may be a rounding error less.
  const tickSeconds = timeBase.numerator / timeBase.denominator;
  const minSeconds = minKeyframeInterval(keyframeIntervalSeconds);
  let lastSeconds = Number.NEGATIVE_INFINITY;
  for (const [frame, time] of pts.entries()) {
    const seconds = (time - firstPts) * tickSeconds;
    if (seconds < lastSeconds + minSeconds) continue;
    starts.push(frame);
    lastSeconds = seconds;
  }
  return starts;
}

// x264 starts with a VBV buffer that is 90 % full: an interval of 95 % of the length still keeps the bit rate.
const minFullIntervalShare = 0.95;

/**
 * Forced keyframes at which a chunk may start. A new encoder starts with a fuller VBV buffer than a single pass may have;
 * a full interval on both sides bounds the peak.
 */
export function chunkableKeyframes(
  source: FrameTimes,
  { starts, keyframeIntervalSeconds }: { starts: readonly number[]; keyframeIntervalSeconds: number },
): number[] {
  const minSeconds = minFullIntervalShare * keyframeIntervalSeconds;
  const lastFrame = source.pts.length - 1;
  return starts.filter((start, index) => {
    const previous = starts[index - 1];
    if (previous === undefined) return false;
    const startSeconds = frameSeconds(source, start);
    const endSeconds = frameSeconds(source, starts[index + 1] ?? lastFrame);
    return startSeconds - frameSeconds(source, previous) >= minSeconds && endSeconds - startSeconds >= minSeconds;
  });
}
