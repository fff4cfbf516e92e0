import type { Probe, VideoStream } from './probe.ts';

/** Interlaced video has 25 or 29.97 frames a second. A higher rate may be that of its fields. */
const maxInterlacedFps = 32;

/** Frame durations by the stated one. Matroska rounds timestamps to milliseconds. */
const fieldsPerFrame = { min: 1.8, max: 2.2 };

/**
 * Whether the container may state the rate of the fields. For interlaced video, mkvmerge states the duration of a field
 * (DefaultDuration) and ffmpeg that of a frame. ffmpeg reads both as that of a frame.
 */
export function mayStateFieldRate(
  { container }: Pick<Probe, 'container'>,
  { framesPerSecond = 0 }: Pick<VideoStream, 'framesPerSecond'>,
): boolean {
  return container === 'matroska,webm' && framesPerSecond > maxInterlacedFps;
}

/**
 * The stream with the rate of its frames: half the stated rate, if it is interlaced and its frames are twice as far apart.
 * Blocks may hold single fields, so only decoded frames show it.
 * @param times of the first decoded frames, in seconds
 */
export function withFrameRate(video: VideoStream, times: readonly number[]): VideoStream {
  const { isInterlaced, framesPerSecond = 0, baseFramesPerSecond } = video;
  const distances = ascending(distancesOf(times));
  const stated = (distances[distances.length >> 1] ?? Number.NaN) * framesPerSecond;
  if (!isInterlaced || !(stated >= fieldsPerFrame.min && stated <= fieldsPerFrame.max)) return video;
  return {
    ...video,
    framesPerSecond: framesPerSecond / 2,
    baseFramesPerSecond: baseFramesPerSecond && baseFramesPerSecond / 2,
    statesFieldRate: true,
  };
}

/** The distances between neighbouring times, from the first to the last. */
export function distancesOf(times: readonly number[]): number[] {
  const sorted = ascending(times);
  return sorted.slice(1).map((time, index) => time - (sorted[index] ?? time));
}

export function ascending(values: readonly number[]): number[] {
  return values.toSorted((one, other) => one - other);
}
