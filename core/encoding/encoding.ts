import type { Preset, Quality, VideoCodec } from '../media/codecs/video-codecs.ts';
import { type FrameTransform, transformedSize } from '../media/filters/video-filters.ts';
import type { Size } from '../media/frame-size.ts';
import type { AudioOptions } from './audio/encode-audio.ts';
import type { SegmentingOptions } from './ladder/segmenting.ts';
import type { Overlay } from './overlay.ts';

/** How an input's picture, and its sound where it has any, are encoded into one file. */
export type VideoEncoding = AudioOptions & {
  codec: VideoCodec;
  quality: Quality;
  preset?: Preset;
  transform: FrameTransform;
  /** Filters that the finished picture passes. */
  finalFilters?: string[];
  /** What is laid over the finished picture. */
  overlay?: Overlay;
  /** Seconds of the input to keep; all of it where left out. */
  range?: { start: number; end: number };
};

/** How an input's picture is encoded into several sizes from one decoding, and its sound for all of them alike. */
export type LadderEncoding = AudioOptions & {
  codec: VideoCodec;
  quality: { crf: number };
  preset?: Preset;
  /** Largest first: the others are made of it. */
  sizes: readonly [Size, ...Size[]];
  /** Where all sizes are packed together for players that choose among them. */
  segmenting?: SegmentingOptions;
};

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
