import { hasOwnLastFrame, statedEndSeconds } from '../../encoding/video/last-frame.ts';
import { requireVideo } from '../../media/probe/streams.ts';
import { decodeFrameTimes } from '../frame-index/frame-index.ts';
import { ticksToSeconds } from '../frame-index/timeline.ts';
import type { ChunkedWork } from '../plan/chunk-plan.ts';
import type { FrameTicks } from './retime-fragments.ts';

/** The times of all frames of a stream, in ticks of its files. */
export function frameTicksOf(
  { source, encoding, frameTimes }: Pick<ChunkedWork, 'source' | 'encoding' | 'frameTimes'>,
  ticksPerSecond: number,
): FrameTicks {
  const { pts, timeBase } = decodeFrameTimes(frameTimes);
  const [firstPts = 0] = pts;
  const video = requireVideo(source);
  const endSeconds = hasOwnLastFrame(video, encoding) ? statedEndSeconds(source, video) : undefined;
  return {
    count: pts.length,
    at: (frame) =>
      Math.round(
        (((pts[frame] ?? Number.NaN) - firstPts) * timeBase.numerator * ticksPerSecond) / timeBase.denominator,
      ),
    endTicks:
      endSeconds === undefined
        ? undefined
        : Math.round((endSeconds - ticksToSeconds(firstPts, timeBase)) * ticksPerSecond),
  };
}
