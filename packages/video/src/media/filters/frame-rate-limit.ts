import { filter } from './filter.ts';

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
