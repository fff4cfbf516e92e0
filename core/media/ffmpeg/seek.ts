import type { Probe } from '../probe/probe.ts';

// Longer than broadcasters and streamers leave between keyframes.
const resyncSeconds = 30;

/**
 * Where reading begins, in seconds, so that the frame at `time` can be decoded. MP4 and Matroska know their keyframes.
 * In MPEG-TS and others a seek lands between them, and nothing is seen before the next: there it begins earlier, and
 * the frames before `time` are to be left out afterwards.
 */
export function seekPoint({ container }: Probe, time: number): number {
  return hasContinuousTimestamps(container) ? time : Math.max(0, time - resyncSeconds);
}

/**
 * Whether a container has one clock from its beginning to its end, and an index of keyframes by it: MP4 and Matroska.
 * What was broadcast may have been put together of several.
 */
export function hasContinuousTimestamps(container: string): boolean {
  return container.includes('mp4') || container.includes('matroska');
}
