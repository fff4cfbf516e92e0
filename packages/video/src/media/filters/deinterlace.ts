import { type ExactRate, nearestConstantRate, toFps } from '../frame-rate.ts';
import type { VideoStream } from '../probe/probe.ts';
import { type Filter, filter, repeatLastFrame } from './filter.ts';

/** One frame per field, 50 of 50i, or one per frame, 25. */
export const deinterlaceRates = ['field', 'frame'] as const;

export type DeinterlaceRate = (typeof deinterlaceRates)[number];

export type RateChange = {
  deinterlace?: DeinterlaceRate | undefined;
  /** A constant rate that the frames are converted to. */
  framesPerSecond?: number | ExactRate | undefined;
};

type Rated = Pick<
  VideoStream,
  'isInterlaced' | 'hasSegmentedFrames' | 'framesPerSecond' | 'baseFramesPerSecond' | 'statesFieldRate'
>;

/**
 * Whether each field of the source becomes a frame. A constant rate that needs no more than the frames decides alone. The
 * fields of a segmented frame are of the same moment: they stay together.
 */
export function isFieldRate(
  { isInterlaced, hasSegmentedFrames, framesPerSecond = 0 }: Rated,
  { deinterlace = 'field', framesPerSecond: target }: RateChange,
): boolean {
  if (!isInterlaced || hasSegmentedFrames || deinterlace === 'frame') return false;
  return target === undefined || toFps(target) > 1.2 * framesPerSecond;
}

/**
 * Filters ahead of `fps`. A container that states the rate of the fields ends the last frame half way, where `fps` would
 * drop its second field.
 */
export function lastFieldFilters({ statesFieldRate }: Pick<Rated, 'statesFieldRate'>): Filter[] {
  return statesFieldRate ? [repeatLastFrame] : [];
}

/** The stream with the frame rate that it has behind the deinterlacer. */
export function atOutputRate<Stream extends Rated>(video: Stream, change: RateChange = {}): Stream {
  if (!isFieldRate(video, change)) return video;
  const { framesPerSecond, baseFramesPerSecond } = video;
  return {
    ...video,
    framesPerSecond: framesPerSecond && 2 * framesPerSecond,
    baseFramesPerSecond: baseFramesPerSecond && 2 * baseFramesPerSecond,
  };
}

/**
 * The change to the constant rate of the frames if the container states that of the fields. Without it, ffmpeg states twice
 * the rate where the output has it from ffmpeg and not from timestamps: in Matroska and WebM, and in a time code.
 */
export function atConstantFrameRate<Change extends RateChange>(
  video: Rated,
  change: Change,
): Change | (Change & { framesPerSecond: ExactRate }) {
  const { statesFieldRate, framesPerSecond } = atOutputRate(video, change);
  if (!statesFieldRate || framesPerSecond === undefined || change.framesPerSecond !== undefined) return change;
  return { ...change, framesPerSecond: nearestConstantRate(framesPerSecond).exact };
}

/**
 * From a frame to the next one that is kept. It is less than a 60th of a second: cameras and containers that count
 * milliseconds time frames of 60 per second up to two milliseconds early, and those are no surplus.
 */
const minFrameSeconds = 0.014;

/** A filter that drops the surplus frames of a video with more than 60 per second. The others keep their times. */
export const limitFrameRate = filter(
  'select',
  `'isnan(prev_selected_pts)+gte((pts-prev_selected_pts)*TB,${minFrameSeconds})'`,
);

/**
 * The numbers of the frames that `limitFrameRate` keeps, calculated as ffmpeg does. They are the same from any of them on:
 * the filter remembers only the last one.
 */
export function framesWithinLimit(pts: Float64Array, tickSeconds: number): number[] {
  const kept: number[] = [];
  let last = Number.NEGATIVE_INFINITY;
  for (const [frame, time] of pts.entries()) {
    if ((time - last) * tickSeconds < minFrameSeconds) continue;
    kept.push(frame);
    last = time;
  }
  return kept;
}
