import type { Probe, Stream } from '../probe/probe.ts';
import { mainVideo } from '../probe/streams.ts';

// Longer than the keyframe interval of broadcasts and streams, and than most pauses of screen recordings.
const resyncSeconds = 30;

/**
 * The seek target, in seconds, from which the frame at `time` can be decoded. MP4 and Matroska have an index of
 * keyframes. In MPEG-TS and others a seek lands between keyframes and shows nothing until the next one, so the target is
 * earlier and the caller drops the frames before `time`. Where timestamps start again, reading starts with the file.
 */
export function seekPoint({ container, hasDiscontinuities }: Probe, time: number): number {
  if (hasDiscontinuities) return 0;
  return hasContinuousTimestamps(container) ? time : Math.max(0, time - resyncSeconds);
}

/**
 * The same for the frame that is on screen at `time`, however long it has been shown. ffmpeg seeks in MP4 by decoding
 * times: with B-frames, that of a keyframe after a pause lies before the pause, so the target is earlier.
 */
export function heldFrameSeekPoint(probe: Probe, time: number): number {
  const isByDecodingTime = probe.container.includes('mp4') && mainVideo(probe)?.reordersFrames === true;
  return isByDecodingTime ? Math.max(0, time - resyncSeconds) : seekPoint(probe, time);
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
