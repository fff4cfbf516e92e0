import { type FrameGrid, gridTicks } from '../../encoding/video/frame-grid.ts';
import type { FrameTimes } from './frame-index.ts';
import { ticksToSeconds } from './timeline.ts';

/** The times of frames on a grid that starts with frame number `first`, in its ticks. */
export function gridTimes({ pts, timeBase }: FrameTimes, grid: FrameGrid, first = 0): FrameTimes {
  const { [first]: firstTicks = 0 } = pts;
  const tickSeconds = ticksToSeconds(1, timeBase);
  return {
    timeBase: { numerator: 1, denominator: grid.ticksPerSecond },
    pts: pts.map((ticks) => gridTicks(grid, { ticks, firstTicks, tickSeconds })),
  };
}
