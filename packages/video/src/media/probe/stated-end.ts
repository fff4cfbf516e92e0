import { ffprobeOutputSchema } from './ffprobe-output.ts';

/** Containers whose duration counts from timestamp 0 in files of some writers, as in recordings of live streams. */
const containers = ['mov,mp4,m4a,3gp,3g2,mj2', 'matroska,webm', 'asf', 'flv'];

/** Start of a file from which on its end differs from its duration. */
const minStartSeconds = 0.5;

/** More than two seconds of any streams. */
const maxPackets = 4000;

/** A read of the last packets of a file, by a seek to its end. */
export type EndReading = { startSeconds: number; statedSeconds: number };

/**
 * The read that tells a duration from an end, which ffprobe reports as duration: of a fragmented MP4 that does not count from
 * 0, and of other files as their writers count. Undefined if the two do not differ.
 * @param json output of `ffprobeArguments`
 */
export function endReading(json: string): EndReading | undefined {
  const { format, streams } = ffprobeOutputSchema.parse(JSON.parse(json));
  const { format_name: container, start_time: startSeconds = 0, duration: statedSeconds = 0 } = format;
  const countsFrames = streams.some(({ nb_frames: frames }) => frames);
  if (!containers.includes(container) || countsFrames) return undefined;
  // An end is later than the start.
  if (startSeconds < minStartSeconds || statedSeconds < startSeconds) return undefined;
  return { startSeconds, statedSeconds };
}

/** Arguments for ffprobe. A seek to the end, or behind it, lands at the last keyframe. */
export function endArguments({ startSeconds, statedSeconds }: EndReading): string[] {
  const position = (startSeconds + statedSeconds).toFixed(6);
  return [
    ...['-read_intervals', `${position}%+#${maxPackets}`],
    ...['-show_entries', 'packet=pts_time', '-print_format', 'csv=p=0'],
  ];
}

/** Whether the duration is the end, by the times of the last packets. False without packets. */
export function statesEnd({ startSeconds, statedSeconds }: EndReading, csv: string): boolean {
  const last = Math.max(...csv.split('\n').map(Number.parseFloat).filter(Number.isFinite));
  return Math.abs(last - statedSeconds) < Math.abs(last - statedSeconds - startSeconds);
}
