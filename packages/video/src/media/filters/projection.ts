import type { VideoStream } from '../probe/probe.ts';
import { filter } from './filter.ts';
import type { FrameTransform } from './video-filters.ts';

type Projected = Pick<VideoStream, 'projection' | 'dolbyVision'>;

/** Of a transform: what decides whether its frames show the whole sphere. */
type Framing = Pick<FrameTransform, 'crop' | 'pad' | 'rotate' | 'toBt709'>;

/** Whether the frames of a 360-degree video still show the whole sphere, and all frames of the output are of it. */
function showsSphere({ crop, pad, rotate = 0, toBt709 }: Framing): boolean {
  return crop === undefined && pad === undefined && rotate % 180 === 0 && toBt709 === undefined;
}

/**
 * Arguments that let MP4 and MOV state the projection of a 360-degree video, which ffmpeg counts as unofficial. Matroska and
 * WebM state it without.
 */
export function projectionArguments({ projection, dolbyVision }: Projected, framing: Framing): string[] {
  // The same option would write the configuration of Dolby Vision, which an encoded video has no more.
  const isKept = projection !== undefined && dolbyVision === undefined && showsSphere(framing);
  return isKept ? ['-strict', 'unofficial'] : [];
}

/** Whether a projection must go: the frames no longer fit it, and players would bend them around the viewer. */
export function dropsProjection({ projection }: Projected, framing: Framing): boolean {
  return projection !== undefined && !showsSphere(framing);
}

/** From ffmpeg 7.1 on, frames carry the projection. Before, only a filter graph with labels drops that of the stream. */
export const dropProjection = filter('sidedata', 'mode=delete:type=SPHERICAL');
