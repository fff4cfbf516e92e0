import type { StreamEnds } from './measured-duration.ts';
import type { Probe, Stream } from './probe.ts';

/** Arguments for ffprobe that print a line for each packet of a file, and then one for its start time. */
export const packetTimeArguments = [
  ...['-show_entries', 'packet=stream_index,pts_time,dts_time,duration_time:format=start_time'],
  ...['-print_format', 'csv'],
];

/** Of a packet whose duration is missing, or rounded down from that of a false rate, as in FLV. */
const maxMissingSeconds = 0.002;
/** A frame before a pause may be shown for longer than the one behind it. */
const maxFrameSeconds = 0.25;

/** Finds the ends of all streams from ffprobe's output: `add` each line, then `finish`. */
export function packetEndParser({ streams, mediaStartSeconds = 0 }: Pick<Probe, 'streams' | 'mediaStartSeconds'>): {
  add(line: string): void;
  finish(): StreamEnds;
} {
  const last = new Map<number, { time: number; decodeTime: number; end: number; distance: number }>();
  let startSeconds = 0;
  const endOf = ({ index, kind }: Stream): number => {
    const { time, end, distance } = last.get(index) ?? { time: 0, end: startSeconds, distance: 0 };
    return kind === 'video' && end - time < maxMissingSeconds ? Math.max(end, time + distance) : end;
  };
  return {
    add(line) {
      const [kind, ...fields] = line.split(',');
      // ffprobe prints `N/A` for an unknown value.
      if (kind === 'format') startSeconds = (Number(fields[0]) || 0) + mediaStartSeconds;
      if (kind !== 'packet') return;
      const [index = 0, pts = Number.NaN, dts = Number.NaN, duration = Number.NaN] = fields.map(Number);
      const time = Number.isNaN(pts) ? dts : pts;
      if (Number.isNaN(time)) return;
      const decodeTime = Number.isNaN(dts) ? pts : dts;
      const before = last.get(index) ?? { time, decodeTime, end: time, distance: 0 };
      last.set(index, {
        time: Math.max(time, before.time),
        decodeTime,
        end: Math.max(before.end, time + (duration || 0)),
        distance: Math.min(maxFrameSeconds, Math.max(0, decodeTime - before.decodeTime)),
      });
    },
    finish: () => new Map(streams.map((stream) => [stream.index, Math.max(0, endOf(stream) - startSeconds)])),
  };
}
