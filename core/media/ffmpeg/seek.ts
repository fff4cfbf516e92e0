import type { Probe, Stream } from '../probe/probe.ts';

// Longer than the keyframe interval of broadcasts and streams.
const resyncSeconds = 30;

/**
 * The seek target, in seconds, from which the frame at `time` can be decoded. MP4 and Matroska have an index of
 * keyframes. In MPEG-TS and others a seek lands between keyframes and shows nothing until the next one, so the target is
 * earlier and the caller drops the frames before `time`.
 */
export function seekPoint({ container }: Probe, time: number): number {
  return hasContinuousTimestamps(container) ? time : Math.max(0, time - resyncSeconds);
}

/**
 * Whether the timestamps of a container are continuous and it has an index of keyframes: MP4 and Matroska. A broadcast
 * may be spliced from sources with different clocks.
 */
export function hasContinuousTimestamps(container: string): boolean {
  return container.includes('mp4') || container.includes('matroska');
}

/**
 * The moment that ffmpeg maps to 0 when it reads these streams, in seconds after the file's start time: in a broadcast the
 * start of the earliest of them, otherwise that of the file.
 */
export function originSecondsOf({ container }: Pick<Probe, 'container'>, streams: readonly Stream[]): number {
  if (streams.length === 0 || hasContinuousTimestamps(container)) return 0;
  return Math.min(...streams.map(({ startSeconds }) => startSeconds));
}
