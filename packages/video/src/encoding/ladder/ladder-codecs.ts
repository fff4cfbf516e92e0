import { defaultCrf, maxCrf } from '../../media/codecs/video-codecs.ts';

/** The codecs of an adaptive stream, in the order of their files. Every player supports the first. */
export const ladderCodecs = ['h264', 'h265', 'av1'] as const;

export type LadderCodec = (typeof ladderCodecs)[number];

/** The constant rate factor at which a codec looks like x264 with `crf`: as far from the default, by its own scale. */
export function crfLike(crf: number, codec: LadderCodec): number {
  if (codec === 'h264') return crf;
  const scale = maxCrf[codec] / maxCrf.h264;
  return Math.min(maxCrf[codec], Math.round(defaultCrf[codec] + (crf - defaultCrf.h264) * scale));
}

/** Newer codecs need fewer bits for the same sizes: published ladders give H.265 two thirds of H.264, AV1 half. */
const rateShares: Record<LadderCodec, number> = { h264: 1, h265: 0.67, av1: 0.5 };

/** The maximum bit rate of a size in a codec, from that in H.264. */
export function maxRateOf(codec: LadderCodec, h264Kbps: number): number {
  return Math.max(100, Math.round(h264Kbps * rateShares[codec]));
}
