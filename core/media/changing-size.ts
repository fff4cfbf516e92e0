import type { VideoStream } from './probe.ts';

/**
 * Options of an input whose picture changes its size on the way, as calls do when the line gets worse: one graph goes
 * on through it. A new one would begin with what other inputs have left, and of a still picture that is nothing.
 * Not where ffmpeg has to turn or deinterlace before `scale`: those filters take one size alone.
 */
export function oneGraph({ isInterlaced, rotation }: VideoStream): string[] {
  return isInterlaced || rotation !== 0 ? [] : ['-reinit_filter:v', '0'];
}
