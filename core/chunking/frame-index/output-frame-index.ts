import { isFieldRate, type RateChange } from '../../media/filters/deinterlace.ts';
import type { VideoStream } from '../../media/probe/probe.ts';
import type { FrameIndex } from './frame-index.ts';

/** The index of the frames that an encoding makes of a source. */
export function outputFrameIndex(index: FrameIndex, video: VideoStream, change: RateChange): FrameIndex {
  return isFieldRate(video, change) ? fieldIndex(index) : index;
}

/**
 * The index of the frames that a deinterlacer makes of each field. The second field of a frame is half way to the next
 * frame; that of the last frame as long after it as that of the frame before.
 */
function fieldIndex({ timeBase, pts, keyframes, lastFrameTicks: _, ...index }: FrameIndex): FrameIndex {
  const fieldPts = new Float64Array(2 * pts.length);
  for (let frame = 0; frame < pts.length; frame += 1) {
    const time = pts[frame] ?? 0;
    const next = pts[frame + 1] ?? 2 * time - (pts[frame - 1] ?? time);
    fieldPts[2 * frame] = 2 * time;
    fieldPts[2 * frame + 1] = time + next;
  }
  return {
    ...index,
    timeBase: { ...timeBase, denominator: 2 * timeBase.denominator },
    pts: fieldPts,
    keyframes: keyframes.map((keyframe) => ({ ...keyframe, frame: 2 * keyframe.frame })),
  };
}
