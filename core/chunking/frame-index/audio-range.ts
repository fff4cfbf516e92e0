import { parsePacket, parsePacketLine } from './packets.ts';
import { parseTimeBase, ticksToSeconds } from './time-base.ts';

/** From when to when a sound track plays, by its container's clock: what an encoder puts in front lies before 0. */
export type AudioRange = { packets: number; startSeconds: number; endSeconds: number };

/** Measures a sound track from ffprobe's lines: `add` each, and `finish` after the last. */
export function audioRangeParser(): { add(line: string): void; finish(): AudioRange } {
  let packets = 0;
  let start = Number.POSITIVE_INFINITY;
  let end = Number.NEGATIVE_INFINITY;
  let timeBaseText = '';
  return {
    add(line) {
      const { kind, fields } = parsePacketLine(line);
      if (kind === 'stream') timeBaseText = fields.get('time_base') ?? '';
      if (kind !== 'packet') return;
      const { pts, duration = 0 } = parsePacket(fields);
      packets += 1;
      if (pts === undefined) return;
      start = Math.min(start, pts);
      end = Math.max(end, pts + duration);
    },
    finish() {
      const timeBase = parseTimeBase(timeBaseText);
      if (timeBase === undefined) throw new TypeError('ffprobe tells no time base');
      const seconds = (ticks: number) => ticksToSeconds(packets === 0 ? 0 : ticks, timeBase);
      return { packets, startSeconds: seconds(start), endSeconds: seconds(end) };
    },
  };
}
