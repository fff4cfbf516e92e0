import type { StreamEnds } from './measured-duration.ts';
import type { Probe } from './probe.ts';

/** Arguments for ffprobe that print a line for each packet of a file, and then one for its start time. */
export const packetTimeArguments = [
  ...['-show_entries', 'packet=stream_index,pts_time,dts_time,duration_time:format=start_time'],
  ...['-print_format', 'csv'],
];

/** Finds the ends of all streams from ffprobe's output: `add` each line, then `finish`. */
export function packetEndParser({ streams, mediaStartSeconds = 0 }: Pick<Probe, 'streams' | 'mediaStartSeconds'>): {
  add(line: string): void;
  finish(): StreamEnds;
} {
  const ends = new Map<number, number>();
  let startSeconds = 0;
  return {
    add(line) {
      const [kind, ...fields] = line.split(',');
      // ffprobe prints `N/A` for an unknown value.
      if (kind === 'format') startSeconds = (Number(fields[0]) || 0) + mediaStartSeconds;
      if (kind !== 'packet') return;
      const [index = 0, pts = Number.NaN, dts = Number.NaN, duration = Number.NaN] = fields.map(Number);
      const time = Number.isNaN(pts) ? dts : pts;
      if (Number.isNaN(time)) return;
      ends.set(index, Math.max(ends.get(index) ?? Number.NEGATIVE_INFINITY, time + (duration || 0)));
    },
    finish: () =>
      new Map(streams.map(({ index }) => [index, Math.max(0, (ends.get(index) ?? startSeconds) - startSeconds)])),
  };
}
