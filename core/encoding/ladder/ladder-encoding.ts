import type { Preset, VideoCodec } from '../../media/codecs/video-codecs.ts';
import type { Size } from '../../media/frame-size.ts';
import type { AudioOptions } from '../audio/audio.ts';
import type { SegmentingOptions } from './segmenting.ts';

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
