import type { VideoStream } from './probe/probe.ts';

/** A frame rate as an exact fraction, as ffmpeg expects it. */
export type ExactRate = `${number}/${number}`;

export type FrameRate = { fps: number; exact: ExactRate };

/** The highest frame rate that a recipe can be asked for. */
export const maxOutputFps = 120;

/** SVT-AV1 rejects a video with more frames per second. */
export const maxSvtFps = 240;

/** Rounds a rate to a thousandth, and the rates of NTSC to their exact values: 29.97 is 30000/1001. */
export function exactRate(fps: number): FrameRate {
  const whole = Math.round(fps);
  if (whole >= 20 && Math.abs(fps - (whole * 1000) / 1001) < 0.005) return rate(whole * 1000, 1001);
  return rate(Math.round(fps * 1000), 1000);
}

export function toFps(rate: number | ExactRate): number {
  const [frames = 0, seconds = 1] = String(rate).split('/').map(Number);
  return frames / seconds;
}

/** Whether frames are shown for different times. A screen recording shows one for as long as nothing changes. */
export function isVariableRate({
  framesPerSecond,
  baseFramesPerSecond = framesPerSecond,
}: Pick<VideoStream, 'framesPerSecond' | 'baseFramesPerSecond'>): boolean {
  return framesPerSecond !== baseFramesPerSecond;
}

// Below it, a frame lasts longer than the shortest clip.
const minSmoothFps = 10;

/** Whether one frame may be on screen for long: at a variable rate, or in a slide show or time lapse. */
export function mayShowFramesForLong(video: Pick<VideoStream, 'framesPerSecond' | 'baseFramesPerSecond'>): boolean {
  return isVariableRate(video) || (video.framesPerSecond ?? minSmoothFps) < minSmoothFps;
}

/** The constant rate closest to a measured average, at least 1. */
export function nearestConstantRate(measured: number): FrameRate {
  const fps = Math.max(1, measured);
  const exact = exactRate(fps);
  const whole = Math.round(fps);
  // The average of a camera that drops frames is a little below its nominal rate.
  const isNearWhole = Math.abs(fps - whole) < 0.2 && !exact.exact.endsWith('/1001');
  return isNearWhole ? rate(whole, 1) : exact;
}

const defaultFps = 25;
// A lower average means long still stretches with fast motion in between.
const minPlausibleFps = 15;

/** A constant rate that keeps fast motion: the average, or 25 if the average is implausibly low. */
export function constantFps({ framesPerSecond = 0 }: Pick<VideoStream, 'framesPerSecond'>): number {
  return framesPerSecond < minPlausibleFps ? defaultFps : framesPerSecond;
}

// The fastest common rate of screens and cameras.
const maxCommonFps = 60;
// Ratio of base rate to average up to which a rate counts as constant with dropped frames.
const maxConstantRatio = 1.2;

/**
 * The frame rate to signal to an encoder, which derives the codec level from it. Undefined if
 * ffmpeg signals a correct one. For a variable frame rate ffmpeg signals the base rate, up to 2000, and hardly any
 * hardware decoder would accept the file. If a container states a false rate, such as that of the fields, ffmpeg signals
 * that. A rate that SVT-AV1 rejects is always returned, for its arguments to limit; so is 1 for a lower one, which SVT-AV1
 * rounds to 0 and divides by.
 */
export function signalledFps({
  framesPerSecond = 0,
  baseFramesPerSecond = 0,
  statesFieldRate,
  misstatesRate = statesFieldRate,
}: Pick<VideoStream, 'framesPerSecond' | 'baseFramesPerSecond' | 'statesFieldRate' | 'misstatesRate'>):
  | ExactRate
  | undefined {
  if (0 < baseFramesPerSecond && baseFramesPerSecond < 1) return rate(1, 1).exact;
  const nominal = framesPerSecond < minPlausibleFps ? rate(maxCommonFps, 1) : nearestConstantRate(framesPerSecond);
  const isExcessive = misstatesRate === true || baseFramesPerSecond > maxConstantRatio * nominal.fps;
  return isExcessive || nominal.fps > maxSvtFps ? nominal.exact : undefined;
}

/**
 * Like `signalledFps`, but at a variable rate that of the fastest stretch: the base rate, at most 60. If the timestamps only
 * have jitter, as of phones, it is too high.
 */
export function signalledMaxFps(
  video: Parameters<typeof signalledFps>[0] & Pick<VideoStream, 'isInterlaced'>,
): ExactRate | undefined {
  const { framesPerSecond = 0, baseFramesPerSecond = 0, isInterlaced } = video;
  // The base rate of an interlaced video may be that of its fields.
  const hasFastStretches = !isInterlaced && baseFramesPerSecond > maxConstantRatio * framesPerSecond;
  if (!hasFastStretches) return signalledFps(video);
  return nearestConstantRate(Math.min(maxCommonFps, baseFramesPerSecond)).exact;
}

function rate(frames: number, seconds: number): FrameRate {
  return { fps: frames / seconds, exact: `${frames}/${seconds}` };
}

/** One frame per field, 50 of 50i, or one per frame, 25. */
export const deinterlaceRates = ['field', 'frame'] as const;

export type DeinterlaceRate = (typeof deinterlaceRates)[number];

export type RateChange = {
  deinterlace?: DeinterlaceRate | undefined;
  /** A constant rate that the frames are converted to. */
  framesPerSecond?: number | ExactRate | undefined;
};

type Rated = Pick<
  VideoStream,
  'isInterlaced' | 'hasSegmentedFrames' | 'framesPerSecond' | 'baseFramesPerSecond' | 'statesFieldRate'
>;

/**
 * Whether each field of the source becomes a frame. A constant rate that needs no more than the frames decides alone. The
 * fields of a segmented frame are of the same moment: they stay together.
 */
export function isFieldRate(
  { isInterlaced, hasSegmentedFrames, framesPerSecond = 0 }: Rated,
  { deinterlace = 'field', framesPerSecond: target }: RateChange,
): boolean {
  if (!isInterlaced || hasSegmentedFrames || deinterlace === 'frame') return false;
  return target === undefined || toFps(target) > 1.2 * framesPerSecond;
}

/** The stream with the frame rate that it has behind the deinterlacer. */
export function atOutputRate<Stream extends Rated>(video: Stream, change: RateChange = {}): Stream {
  if (!isFieldRate(video, change)) return video;
  const { framesPerSecond, baseFramesPerSecond } = video;
  return {
    ...video,
    framesPerSecond: framesPerSecond && 2 * framesPerSecond,
    baseFramesPerSecond: baseFramesPerSecond && 2 * baseFramesPerSecond,
  };
}

/**
 * The change to the constant rate of the frames if the container states that of the fields. Without it, ffmpeg states twice
 * the rate where the output has it from ffmpeg and not from timestamps: in Matroska and WebM, and in a time code.
 */
export function atConstantFrameRate<Change extends RateChange>(
  video: Rated,
  change: Change,
): Change | (Change & { framesPerSecond: ExactRate }) {
  const { statesFieldRate, framesPerSecond } = atOutputRate(video, change);
  if (!statesFieldRate || framesPerSecond === undefined || change.framesPerSecond !== undefined) return change;
  return { ...change, framesPerSecond: nearestConstantRate(framesPerSecond).exact };
}

/** Tolerance in seconds for rounding in the container, encoder delay and the duration of the last frame. */
export function durationToleranceSeconds(planned: number): number {
  return Math.max(0.5, planned * 0.01);
}
