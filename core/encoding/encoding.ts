import { transformedSize } from '../media/filters/video-filters.ts';
import type { Size } from '../media/frame-size.ts';
import type { LadderEncoding } from './ladder/ladder-encoding.ts';
import type { Overlay } from './overlay.ts';
import type { VideoEncoding } from './video/video-encoding.ts';

/** How an input's picture, and its sound where it has any, are encoded: into one size or into several. */
export type Encoding = VideoEncoding | LadderEncoding;

/** Whether it makes several sizes of one picture. */
export function isLadderEncoding(encoding: Encoding): encoding is LadderEncoding {
  return 'sizes' in encoding;
}

/** The sizes that come of it, in the order of its outputs. */
export function outputSizes(encoding: Encoding): readonly Size[] {
  return isLadderEncoding(encoding) ? encoding.sizes : [transformedSize(encoding.transform)];
}

/** How long segments of it are; undefined where it has none. */
export function segmentSecondsOf(encoding: Encoding): number | undefined {
  return isLadderEncoding(encoding) ? encoding.segmenting?.segmentSeconds : undefined;
}

/** What is laid over the picture, where anything is. */
export function overlayOf(encoding: Encoding): Overlay | undefined {
  return isLadderEncoding(encoding) ? undefined : encoding.overlay;
}

/** The same encoding, for a machine on which that lies elsewhere. */
export function withOverlayPath(path: string, encoding: Encoding): Encoding {
  if (isLadderEncoding(encoding) || encoding.overlay === undefined) return encoding;
  return { ...encoding, overlay: { ...encoding.overlay, path } };
}
