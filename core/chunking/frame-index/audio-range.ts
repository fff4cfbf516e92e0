import { parsePacket, parsePacketLine } from './packets.ts';
import { parseTimeBase, ticksToSeconds } from './timeline.ts';

/** Packets and playback range of an audio stream, by the container's clock. Encoder delay lies before 0. */
export type AudioRange = { packets: number; startSeconds: number; endSeconds: number };

/** Measures an audio stream from ffprobe's output: `add` each line, then `finish`. */
export function audioRangeParser(): { add(line: string): void; finish(): AudioRange } {
  let packets = 0;
  let startTicks = Number.POSITIVE_INFINITY;
  let endTicks = Number.NEGATIVE_INFINITY;
  let timeBaseText = '';
  return {
    add(line) {
      const { kind, fields } = parsePacketLine(line);
      if (kind === 'stream') timeBaseText = fields.get('time_base') ?? '';
      if (kind !== 'packet') return;
      const { pts, duration = 0 } = parsePacket(fields);
      packets += 1;
      if (pts === undefined) return;
      startTicks = Math.min(startTicks, pts);
      endTicks = Math.max(endTicks, pts + duration);
    },
    finish() {
      const timeBase = parseTimeBase(timeBaseText);
      if (timeBase === undefined) throw new TypeError('ffprobe printed no time base for the audio stream');
      const seconds = (ticks: number) => ticksToSeconds(packets === 0 ? 0 : ticks, timeBase);
      return { packets, startSeconds: seconds(startTicks), endSeconds: seconds(endTicks) };
    },
  };
}
