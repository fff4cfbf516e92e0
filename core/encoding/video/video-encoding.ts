import type { Preset, Quality, VideoCodec } from '../../media/codecs/video-codecs.ts';
import type { FrameTransform } from '../../media/filters/video-filters.ts';
import type { AudioOptions } from '../audio/audio.ts';
import type { Overlay } from '../overlay.ts';

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
