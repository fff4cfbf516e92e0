import type { Size } from '../media/size.ts';
import { finalSize } from '../media/video-filters.ts';
import type { LadderEncoding } from './ladder-encoding.ts';
import type { Overlay } from './overlay.ts';
import type { VideoEncoding } from './video-encoding.ts';

/** How an input's picture, and its sound where it has any, are encoded: into one size or into several. */
export type Encoding = VideoEncoding | LadderEncoding;

/** Whether it makes several sizes of one picture. */
export function isLadder(encoding: Encoding): encoding is LadderEncoding {
  return 'sizes' in encoding;
}

/** The sizes that come of it, in the order of its outputs. */
export function sizesOf(encoding: Encoding): readonly Size[] {
  return isLadder(encoding) ? encoding.sizes : [finalSize(encoding.picture)];
}

/** How long segments of it are; undefined where it has none. */
export function segmentSecondsOf(encoding: Encoding): number | undefined {
  return isLadder(encoding) ? encoding.streamed?.segmentSeconds : undefined;
}

/** What is laid over the picture, where anything is. */
export function overlayOf(encoding: Encoding): Overlay | undefined {
  return isLadder(encoding) ? undefined : encoding.overlay;
}

/** The same encoding, for a machine on which that lies elsewhere. */
export function withOverlayAt(path: string, encoding: Encoding): Encoding {
  if (isLadder(encoding) || encoding.overlay === undefined) return encoding;
  return { ...encoding, overlay: { ...encoding.overlay, path } };
}
