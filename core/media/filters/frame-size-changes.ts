import type { VideoStream } from '../probe/probe.ts';

/**
 * Options of an input whose picture changes its size on the way, as calls do when the line gets worse: one graph goes
 * on through it. A new one would forget what it has seen, count from the start again, and begin with what other inputs
 * have left, which of a still picture is nothing. Not where ffmpeg has to turn the picture before all else, which takes
 * one size alone. `normalizeFrameSize` stands first in that graph.
 */
export function keepFilterGraph({ rotation }: VideoStream): string[] {
  return rotation === 0 ? ['-reinit_filter:v', '0'] : [];
}

/**
 * Filters that bring every frame into the size of the first, where the filter that makes pictures of fields takes no
 * other. What has that size already passes as it is. Not `interl=1`: with odd sizes it writes where it must not.
 */
export function normalizeFrameSize({ isInterlaced }: VideoStream): string[] {
  return isInterlaced ? ['scale=iw:ih'] : [];
}
