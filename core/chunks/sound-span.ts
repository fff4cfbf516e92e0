import { readLine, readPacket } from './packet.ts';
import { readTimeBase, secondsOf } from './ticks.ts';

/** From when to when a sound track plays, by its container's clock: what an encoder puts in front lies before 0. */
export type SoundSpan = { packets: number; startSeconds: number; endSeconds: number };

/** Measures a sound track from ffprobe's lines: `add` each, and `finish` after the last. */
export function soundMeter(): { add(line: string): void; finish(): SoundSpan } {
  let packets = 0;
  let start = Number.POSITIVE_INFINITY;
  let end = Number.NEGATIVE_INFINITY;
  let timeBaseText = '';
  return {
    add(line) {
      const { kind, fields } = readLine(line);
      if (kind === 'stream') timeBaseText = fields.get('time_base') ?? '';
      if (kind !== 'packet') return;
      const { time, duration = 0 } = readPacket(fields);
      packets += 1;
      if (time === undefined) return;
      start = Math.min(start, time);
      end = Math.max(end, time + duration);
    },
    finish() {
      const timeBase = readTimeBase(timeBaseText);
      if (timeBase === undefined) throw new TypeError('ffprobe tells no time base');
      const seconds = (ticks: number) => secondsOf(packets === 0 ? 0 : ticks, timeBase);
      return { packets, startSeconds: seconds(start), endSeconds: seconds(end) };
    },
  };
}
