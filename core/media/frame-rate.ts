import type { VideoStream } from './probe/probe.ts';

/** A number of frames a second as ffmpeg reads it without loss. */
export type ExactRate = `${number}/${number}`;

export type FrameRate = { fps: number; exact: ExactRate };

/** A rate to a thousandth, and those of NTSC, such as 29.97, as what they mean: 30000/1001. */
export function exactRate(perSecond: number): FrameRate {
  const whole = Math.round(perSecond);
  if (whole >= 20 && Math.abs(perSecond - (whole * 1000) / 1001) < 0.005) return rate(whole * 1000, 1001);
  return rate(Math.round(perSecond * 1000), 1000);
}

/** The constant rate that is meant by a measured one, at least one frame a second. */
export function nearestConstantRate(measured: number): FrameRate {
  const perSecond = Math.max(1, measured);
  const exact = exactRate(perSecond);
  const whole = Math.round(perSecond);
  // The average of a rate that varies a little is that of the camera, less the frames that it lost.
  const isNearWhole = Math.abs(perSecond - whole) < 0.2 && !exact.exact.endsWith('/1001');
  return isNearWhole ? rate(whole, 1) : exact;
}

const ordinaryRate = 25;
// An average below this is that of a picture which stands still for long, and is quick in between.
const leastRate = 15;

/** The frames a second at which no frame of a picture is lost where it has to have a constant rate. */
export function constantFps({ framesPerSecond = 0 }: Pick<VideoStream, 'framesPerSecond'>): number {
  return framesPerSecond < leastRate ? ordinaryRate : framesPerSecond;
}

// What screens and cameras show at most where a file does not say.
const quickestRate = 60;
// As much above the average as a constant rate that lost some frames.
const usualExcess = 1.2;

/**
 * The rate that an encoder is to be told, by which it states what decoders have to be capable of; undefined where ffmpeg
 * tells it well. Of a variable rate ffmpeg tells one at which all times are whole, up to 2000 a second, and hardly any
 * hardware would take the file.
 */
export function signalledFps({
  framesPerSecond = 0,
  baseFramesPerSecond = 0,
}: Pick<VideoStream, 'framesPerSecond' | 'baseFramesPerSecond'>): ExactRate | undefined {
  const meant = framesPerSecond < leastRate ? rate(quickestRate, 1) : nearestConstantRate(framesPerSecond);
  return baseFramesPerSecond > usualExcess * meant.fps ? meant.exact : undefined;
}

function rate(frames: number, seconds: number): FrameRate {
  return { fps: frames / seconds, exact: `${frames}/${seconds}` };
}
