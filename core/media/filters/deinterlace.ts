import { type ExactRate, toFps } from '../frame-rate.ts';
import type { VideoStream } from '../probe/probe.ts';

/** One frame per field, 50 of 50i, or one per frame, 25. */
export const deinterlaceRates = ['field', 'frame'] as const;

export type DeinterlaceRate = (typeof deinterlaceRates)[number];

export type RateChange = {
  deinterlace?: DeinterlaceRate | undefined;
  /** A constant rate that the frames are converted to. */
  framesPerSecond?: number | ExactRate | undefined;
};

type Rated = Pick<VideoStream, 'isInterlaced' | 'framesPerSecond' | 'baseFramesPerSecond'>;

/** Whether each field of the source becomes a frame. A constant rate that needs no more than the frames decides alone. */
export function isFieldRate(
  { isInterlaced, framesPerSecond = 0 }: Rated,
  { deinterlace = 'field', framesPerSecond: target }: RateChange,
): boolean {
  if (!isInterlaced || deinterlace === 'frame') return false;
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
