import { hasContinuousTimestamps } from '../../media/ffmpeg/seek.ts';
import type { Stream } from '../../media/probe/probe.ts';

/** From when on times count. */
export type TimelineOrigin = {
  /** By the clock of the container. */
  containerSeconds: number;
  /** After the first moment of the file. */
  fileSeconds: number;
};

/**
 * Seconds after the first moment of a file from which ffmpeg counts when it reads these streams and no others. In a
 * broadcast it is where the first of them begins, whatever other streams there are.
 */
export function timelineOriginSeconds(
  container: string,
  streams: readonly Pick<Stream, 'startSeconds'>[],
): number {
  return hasContinuousTimestamps(container)
    ? 0
    : Math.min(...streams.map(({ startSeconds }) => startSeconds));
}

/**
 * Options of an input that make times count from there, wherever reading begins and whichever streams are read. The
 * microsecond, too short to matter, keeps ffmpeg from finding the beginning anew: it does where it sees the file's own.
 */
export function timelineOriginOptions({
  containerSeconds,
}: Pick<TimelineOrigin, 'containerSeconds'>): string[] {
  return ['-copyts', '-itsoffset', (1e-6 - containerSeconds).toFixed(6)];
}
