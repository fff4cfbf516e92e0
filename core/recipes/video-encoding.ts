import type { Preset, Quality, VideoCodec } from '../media/video-codecs.ts';
import type { PictureChange } from '../media/video-filters.ts';
import type { Overlay } from './overlay.ts';
import type { SoundChange } from './sound.ts';

/** How an input's picture, and its sound where it has any, are encoded into one file. */
export type VideoEncoding = SoundChange & {
  codec: VideoCodec;
  quality: Quality;
  preset?: Preset;
  picture: PictureChange;
  /** Filters that the finished picture passes. */
  laterFilters?: string[];
  /** What is laid over the finished picture. */
  overlay?: Overlay;
  /** Seconds of the input to keep; all of it where left out. */
  range?: { start: number; end: number };
};
