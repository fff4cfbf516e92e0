import { defaultCrf, maxCrf } from '../../media/codecs/video-codecs.ts';
import { evenSize, fitInside, requireEncodableSize, roundDownToEven, type Size } from '../../media/frame-size.ts';
import type { VideoStream } from '../../media/probe/probe.ts';

export type Rendition = Size & {
  /** The shorter side, such as `1080p`. */
  name: string;
  /** Upper bound of the bit rate over the encoder's buffer. */
  maxRateKbps: number;
};

const shorterSides = [2160, 1440, 1080, 720, 480, 360, 240];

// Renditions closer than this ratio look alike and cost twice.
const maxRatio = 0.8;

/**
 * The renditions of a video, largest first: its own size, limited to `maxSide` pixels on the shorter side, and the
 * common sizes below it. Never larger than the video.
 */
export function buildLadder(video: VideoStream, maxSide: number): [Rendition, ...Rendition[]] {
  const sourceSide = Math.min(video.width, video.height);
  const largestSide = Math.min(sourceSide, roundDownToEven(maxSide));
  const sides: number[] = [];
  for (const side of shorterSides) if (side <= (sides.at(-1) ?? largestSide) * maxRatio) sides.push(side);
  return [renditionOf(video, largestSide), ...sides.map((side) => renditionOf(video, side))];
}

function renditionOf(video: VideoStream, shorterSide: number): Rendition {
  const side = video.width < video.height ? 'width' : 'height';
  const size = requireEncodableSize(evenSize(fitInside(video, { [side]: shorterSide })));
  const name = `${Math.min(size.width, size.height)}p`;
  return { ...size, name, maxRateKbps: maxRateKbps(size, video.framesPerSecond ?? 0) };
}

/**
 * 5 Mbit/s at 1080p, scaled by the power law that published ladders follow closely. At high frame rates consecutive
 * frames differ less: twice the frame rate needs less than twice the bit rate.
 */
function maxRateKbps({ width, height }: Size, framesPerSecond: number): number {
  const kbpsUpTo30Fps = 5000 * ((width * height) / (1920 * 1080)) ** 0.75;
  return Math.max(100, Math.round((framesPerSecond > 32 ? 1.4 : 1) * kbpsUpTo30Fps));
}

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
