import { constantRate, type Filter, filter, holdLastFrame, trimSeconds } from '../../media/filters/filter.ts';
import { constantFps, type ExactRate, exactRate } from '../../media/frame-rate.ts';
import type { VideoStream } from '../../media/probe/probe.ts';
import { isInvisibleGap } from '../../media/probe/streams.ts';

/** Options for renditions between which players switch at segment boundaries. */
export type SegmentingOptions = {
  /** From one keyframe to the next. */
  keyframeIntervalSeconds: number;
  /** The maximum bit rate of each size. */
  maxRatesKbps: readonly number[];
  /** Constant frame rate of a video that starts late, whose first frame is repeated from t=0, or is too fast. */
  constantFps?: number | ExactRate;
  /** The end of a video that ends long before the audio, and that of the audio: its last frame is repeated between them. */
  heldEnd?: { fromSeconds: number; untilSeconds: number };
};

/** Apple requires keyframes every two seconds and at most 60 frames per second. */
const maxKeyframeSeconds = 2;
const maxFps = 60;

/** The interval of keyframes that divides a segment into equal parts of at most two seconds. */
export function keyframeIntervalFor(segmentSeconds: number): number {
  return Number((segmentSeconds / Math.ceil(segmentSeconds / maxKeyframeSeconds)).toFixed(3));
}

// Length of the VBV buffer at the maximum bit rate of a size.
const bufferSeconds = 1;

/**
 * If the video starts after the audio, its first frame is shown from t=0, which needs a constant frame rate. A rate above
 * the maximum becomes the half that is below it, or the maximum.
 */
export function requiredConstantRate(video: VideoStream): Pick<SegmentingOptions, 'constantFps'> {
  const { framesPerSecond = 0 } = video;
  if (framesPerSecond > maxFps + 0.01) {
    return { constantFps: framesPerSecond <= 2 * maxFps + 0.02 ? exactRate(framesPerSecond / 2).exact : maxFps };
  }
  return isInvisibleGap(video.startSeconds) ? {} : { constantFps: exactRate(constantFps(video)).exact };
}

/** Players of DASH stall, and some of HLS end the stream, where the video ends much longer before the audio. */
const maxMissingSeconds = 2;

/** If the video ends before the audio, its last frame is shown until the end of all streams. */
export function requiredHeldEnd(videoSeconds = 0, durationSeconds = 0): Pick<SegmentingOptions, 'heldEnd'> {
  if (durationSeconds - videoSeconds <= maxMissingSeconds) return {};
  return { heldEnd: { fromSeconds: videoSeconds, untilSeconds: durationSeconds } };
}

// Few frames to encode, and a keyframe is at most this much later than its interval.
const heldFrameSeconds = 0.1;
// A measured end may be some frames early: that of a broadcast counts from decoding times.
const maxEarlySeconds = 0.25;

export function heldEndFilters({ heldEnd }: Pick<SegmentingOptions, 'heldEnd'>): Filter[] {
  if (heldEnd === undefined) return [];
  const heldFrom = (heldEnd.fromSeconds + maxEarlySeconds).toFixed(3);
  return [
    holdLastFrame,
    ...trimSeconds({ end: heldEnd.untilSeconds.toFixed(3) }),
    filter('select', `'lt(t,${heldFrom})+gte(t,prev_selected_t+${heldFrameSeconds})'`),
  ];
}

/** Whether frames keep their times, but for those of stretches with too many. */
export function limitsFrameRate(segmenting: SegmentingOptions | undefined): boolean {
  return segmenting !== undefined && segmenting.constantFps === undefined;
}

export function constantRateFilters({ constantFps: rate }: Pick<SegmentingOptions, 'constantFps'>): Filter[] {
  return rate === undefined ? [] : [constantRate(rate, ':start_time=0')];
}

export function rateLimitArguments({ maxRatesKbps }: SegmentingOptions, size: number): string[] {
  const kbps = maxRatesKbps[size] ?? 0;
  return ['-maxrate:v', `${kbps}k`, '-bufsize:v', `${kbps * bufferSeconds}k`];
}

/** Tolerance for an interval of keyframes: containers round timestamps, to a millisecond at worst. */
const timestampRoundingSeconds = 0.002;

export function minKeyframeInterval(keyframeIntervalSeconds: number): number {
  return Number((keyframeIntervalSeconds - timestampRoundingSeconds).toFixed(3));
}

/** A segment has this length at least: as many intervals of keyframes as it is divided into. */
export function minSegmentSeconds(segmentSeconds: number): number {
  const keyframeIntervalSeconds = keyframeIntervalFor(segmentSeconds);
  return Math.round(segmentSeconds / keyframeIntervalSeconds) * minKeyframeInterval(keyframeIntervalSeconds);
}

/**
 * The `-force_key_frames` expression: a keyframe at the first frame, then at the first frame that is at least
 * `keyframeIntervalSeconds` after the previous keyframe. The expression negates `lt` because `prev_forced_t` is NaN at
 * first.
 */
export function keyframesEvery(keyframeIntervalSeconds: number): string {
  return `expr:not(lt(t,prev_forced_t+${minKeyframeInterval(keyframeIntervalSeconds)}))`;
}

/** Forces the keyframes of all sizes to the same frames and allows no others. `at` is a value of `-force_key_frames`. */
export function keyframeArguments(at: string): string[] {
  return ['-sc_threshold', '0', ...(at === '' ? [] : ['-force_key_frames', at])];
}
