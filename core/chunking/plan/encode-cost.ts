import { type Encoding, outputSizes } from '../../encoding/encoding.ts';
import type { Preset, VideoCodec } from '../../media/codecs/video-codecs.ts';

/** Seconds of one processor for a million pixels: this service's arguments on film at 720p, decoding included. */
const secondsPerMegapixel: Record<VideoCodec, number> = { h264: 0.023, h265: 0.08, vp9: 0.032, av1: 0.031 };

/** How many times as long as by `veryfast` x264 takes. */
const presetFactors: Record<Preset, number> = {
  ultrafast: 0.5,
  superfast: 0.8,
  veryfast: 1,
  faster: 1.4,
  fast: 1.6,
  medium: 1.9,
  slow: 3,
  slower: 6,
};

/** About how many seconds one processor takes to encode so many pictures, in all sizes together. */
export function estimateCpuSeconds(pictures: number, encoding: Encoding): number {
  const { codec, preset = 'veryfast' } = encoding;
  const factor = codec === 'h264' ? presetFactors[preset] : 1;
  const pixels = outputSizes(encoding).reduce((sum, { width, height }) => sum + width * height, 0);
  return (pictures * pixels * secondsPerMegapixel[codec] * factor) / 1e6;
}
