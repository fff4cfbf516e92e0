import { hasContinuousTimestamps } from '../../media/ffmpeg/seek.ts';
import { type FrameIndex, frameSeconds, type Keyframe } from '../frame-index/frame-index.ts';
import { ticksToSeconds } from '../frame-index/time-base.ts';
import type { Chunk } from './chunk.ts';

// More than the order of pictures in the file differs from that on the screen.
const reorderSeconds = 1;

/**
 * Reading begins two keyframes before the first one that is kept. Not every keyframe is whole: in H.264 a picture may
 * be built up over all those that follow one, and a little longer. In containers that know their keyframes a seek finds
 * the one before by itself; in others it may land behind one.
 */
export function prerollSeek(
  index: FrameIndex,
  { keyframe }: { keyframe: number },
  container: string,
): Pick<Chunk, 'seekSeconds'> {
  const back = (count: number) => index.keyframes[keyframe - count] ?? { frame: 0 };
  const from = hasContinuousTimestamps(container)
    ? midpointBefore(index, back(1))
    : frameSeconds(index, back(2).frame) - reorderSeconds;
  return from > 0 ? { seekSeconds: from } : {};
}

/** The second half way between a picture and the one before. */
export function midpointBefore({ pts, timeBase }: FrameIndex, { frame }: Pick<Keyframe, 'frame'>): number {
  if (frame === 0) return 0;
  return ticksToSeconds(((pts[frame - 1] ?? 0) + (pts[frame] ?? 0)) / 2, timeBase);
}
