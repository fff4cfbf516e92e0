import { defaultCrf, maxCrf } from '../../media/codecs/video-codecs.ts';
import { constantRate, type Filter, filter, holdLastFrame, trimSeconds } from '../../media/filters/filter.ts';
import { constantFps, type ExactRate, exactRate } from '../../media/frame-rate.ts';
import { evenSize, fitInside, requireEncodableSize, roundDownToEven, type Size } from '../../media/frame-size.ts';
import type { VideoStream } from '../../media/probe/probe.ts';
import { isInvisibleGap } from '../../media/probe/streams.ts';

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

/** 5 Mbit/s at 1080p, scaled by the power law of published ladders. Frames of a high rate differ less. */
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

/** Options for renditions between which players switch at segment boundaries. */
export type SegmentingOptions = {
  /** From one keyframe to the next. */
  keyframeIntervalSeconds: number;
  /** The maximum bit rate of each size. */
  maxRatesKbps: readonly number[];
  /** Constant frame rate of a video that starts late, whose first frame is repeated from t=0, or is too fast. */
  constantFps?: number | ExactRate;
  /** The end of a video that ends long before the audio, and that of the audio: its last frame is repeated between them. */
  heldEnd?: { fromSeconds: number; untilSeconds: number };
};

/** Apple requires keyframes every two seconds and at most 60 frames per second. */
const maxKeyframeSeconds = 2;
const maxFps = 60;

/** The interval of keyframes that divides a segment into equal parts of at most two seconds. */
export function keyframeIntervalFor(segmentSeconds: number): number {
  return Number((segmentSeconds / Math.ceil(segmentSeconds / maxKeyframeSeconds)).toFixed(3));
}

// Length of the VBV buffer at the maximum bit rate of a size.
const bufferSeconds = 1;

/**
 * If the video starts after the audio, its first frame is shown from t=0, which needs a constant frame rate. A rate above
 * the maximum becomes the half that is below it, or the maximum.
 */
export function requiredConstantRate(video: VideoStream): Pick<SegmentingOptions, 'constantFps'> {
  const { framesPerSecond = 0 } = video;
  if (framesPerSecond > maxFps + 0.01) {
    return { constantFps: framesPerSecond <= 2 * maxFps + 0.02 ? exactRate(framesPerSecond / 2).exact : maxFps };
  }
  return isInvisibleGap(video.startSeconds) ? {} : { constantFps: exactRate(constantFps(video)).exact };
}

/** Players of DASH stall, and some of HLS end the stream, where the video ends much longer before the audio. */
const maxMissingSeconds = 2;

/** If the video ends before the audio, its last frame is shown until the end of all streams. */
export function requiredHeldEnd(videoSeconds = 0, durationSeconds = 0): Pick<SegmentingOptions, 'heldEnd'> {
  if (durationSeconds - videoSeconds <= maxMissingSeconds) return {};
  return { heldEnd: { fromSeconds: videoSeconds, untilSeconds: durationSeconds } };
}

// Few frames to encode, and a keyframe is at most this much later than its interval.
const heldFrameSeconds = 0.1;
// A measured end may be some frames early: that of a broadcast counts from decoding times.
const maxEarlySeconds = 0.25;

export function heldEndFilters({ heldEnd }: Pick<SegmentingOptions, 'heldEnd'>): Filter[] {
  if (heldEnd === undefined) return [];
  const heldFrom = (heldEnd.fromSeconds + maxEarlySeconds).toFixed(3);
  return [
    holdLastFrame,
    ...trimSeconds({ end: heldEnd.untilSeconds.toFixed(3) }),
    filter('select', `'lt(t,${heldFrom})+gte(t,prev_selected_t+${heldFrameSeconds})'`),
  ];
}

/** Whether frames keep their times, but for those of stretches with too many. */
export function limitsFrameRate(segmenting: SegmentingOptions | undefined): boolean {
  return segmenting !== undefined && segmenting.constantFps === undefined;
}

export function constantRateFilters({ constantFps: rate }: Pick<SegmentingOptions, 'constantFps'>): Filter[] {
  return rate === undefined ? [] : [constantRate(rate, ':start_time=0')];
}

export function rateLimitArguments({ maxRatesKbps }: SegmentingOptions, size: number): string[] {
  const kbps = maxRatesKbps[size] ?? 0;
  return ['-maxrate:v', `${kbps}k`, '-bufsize:v', `${kbps * bufferSeconds}k`];
}

/** Tolerance for an interval of keyframes: containers round timestamps, to a millisecond at worst. */
const timestampRoundingSeconds = 0.002;

export function minKeyframeInterval(keyframeIntervalSeconds: number): number {
  return Number((keyframeIntervalSeconds - timestampRoundingSeconds).toFixed(3));
}

/** A segment has this length at least: as many intervals of keyframes as it is divided into. */
export function minSegmentSeconds(segmentSeconds: number): number {
  const keyframeIntervalSeconds = keyframeIntervalFor(segmentSeconds);
  return Math.round(segmentSeconds / keyframeIntervalSeconds) * minKeyframeInterval(keyframeIntervalSeconds);
}

/** The `-force_key_frames` expression. It negates `lt` because `prev_forced_t` is NaN at first. */
export function keyframesEvery(keyframeIntervalSeconds: number): string {
  return `expr:not(lt(t,prev_forced_t+${minKeyframeInterval(keyframeIntervalSeconds)}))`;
}

/** Forces the keyframes of all sizes to the same frames and allows no others. `at` is a value of `-force_key_frames`. */
export function keyframeArguments(at: string): string[] {
  return ['-sc_threshold', '0', ...(at === '' ? [] : ['-force_key_frames', at])];
}
