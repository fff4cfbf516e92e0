import type { Size } from '../media/size.ts';
import type { Preset, VideoCodec } from '../media/video-codecs.ts';
import type { SoundChange } from './sound.ts';
import type { Streamed } from './streamed.ts';

/** How an input's picture is encoded into several sizes from one decoding, and its sound for all of them alike. */
export type LadderEncoding = SoundChange & {
  codec: VideoCodec;
  quality: { crf: number };
  preset?: Preset;
  /** Largest first: the others are made of it. */
  sizes: readonly [Size, ...Size[]];
  /** Where all sizes are packed together for players that choose among them. */
  streamed?: Streamed;
};
