import { nearestConstantRate } from '../frame-rate.ts';

// Long enough that times in milliseconds change the rate by less than one in a hundred.
const stretchSeconds = 0.25;
const roundingShare = 0.01;

/**
 * The highest frame rate of a video: that of its fastest quarter of a second, or the average if no stretch is faster.
 * @param frameSeconds when each frame is shown, in ascending order
 */
export function maxFrameRate(frameSeconds: readonly number[], averageFps: number | undefined): number | undefined {
  let maxFps = 0;
  let end = 0;
  for (const [start, startSeconds] of frameSeconds.entries()) {
    while (end < frameSeconds.length && secondsAt(frameSeconds, end) - startSeconds < stretchSeconds) end += 1;
    if (end === frameSeconds.length) break;
    maxFps = Math.max(maxFps, (end - start) / (secondsAt(frameSeconds, end) - startSeconds));
  }
  if (averageFps === undefined) return undefined;
  return maxFps > averageFps * (1 + roundingShare) ? nearestConstantRate(maxFps).fps : averageFps;
}

function secondsAt(frameSeconds: readonly number[], frame: number): number {
  return frameSeconds[frame] ?? Number.NaN;
}
