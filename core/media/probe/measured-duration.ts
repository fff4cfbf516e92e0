import type { Probe } from './probe.ts';
import { isImageContainer, mainVideo, ownAudio } from './streams.ts';

/**
 * Whether the duration must be measured by reading the whole file: it is missing, as in recordings of browsers, or
 * ffprobe estimated it.
 */
export function needsMeasuredDuration(probe: Probe, log: string): boolean {
  const isMedia = probe.streams.some(({ kind }) => kind === 'video' || kind === 'audio');
  if (!isMedia || isImageContainer(probe.container)) return false;
  return probe.durationSeconds === undefined || log.includes('Estimating duration from bitrate');
}

/** Whether the header does not state when the main video ends, which the audio may outlast. Usual in Matroska. */
export function lacksVideoEnd(probe: Probe): boolean {
  const video = mainVideo(probe);
  return video !== undefined && video.durationSeconds === undefined && ownAudio(probe).length > 0;
}

/** Sets the measured duration and drops those of the streams, which came from the same estimate. */
export function withMeasuredDuration(probe: Probe, durationSeconds: number): Probe {
  const streams = probe.streams.map(({ durationSeconds: _, ...stream }) => stream);
  return { ...probe, durationSeconds, streams };
}

/** When the main video and the audio of a file end, in seconds; 0 for none. */
export type MeasuredEnds = { video: number; audio: number };

/** Sets the measured duration, and that of the main video. */
export function withMeasuredEnds(probe: Probe, { video, audio }: MeasuredEnds): Probe {
  const measured = withMeasuredDuration(probe, Math.max(video, audio));
  const main = mainVideo(measured);
  const streams = measured.streams.map((stream) =>
    stream === main
      ? { ...main, durationSeconds: Math.max(0, video - main.startSeconds) || undefined }
      : stream,
  );
  return { ...measured, streams };
}

const minDifferenceSeconds = 0.5;

/**
 * Sets the measured duration of a file whose timestamps may start again, if it differs from the stated one. The two may differ
 * by a packet, since one ends at its start and the other at its end.
 */
export function withDiscontinuities(probe: Probe, ends: MeasuredEnds): Probe {
  const { durationSeconds = 0 } = probe;
  if (Math.abs(Math.max(ends.video, ends.audio) - durationSeconds) < minDifferenceSeconds) return probe;
  return { ...withMeasuredEnds(probe, ends), hasDiscontinuities: true };
}
