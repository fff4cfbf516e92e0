import type { Mp4AudioTrack } from '../../media/mp4/read-track.ts';
import { parsePacket, parsePacketLine } from './packets.ts';
import { parseTimeBase, ticksToSeconds } from './timeline.ts';

/** Packets, their bytes and the playback range of an audio stream, by the container's clock. Encoder delay lies before 0. */
export type AudioRange = { packets: number; sizeBytes: number; startSeconds: number; endSeconds: number };

/** The same from the index of an MP4. */
export function mp4AudioRange({ timescale, startTicks, endTicks, ...track }: Mp4AudioTrack): AudioRange {
  const { packets, sizeBytes } = track;
  return { packets, sizeBytes, startSeconds: startTicks / timescale, endSeconds: endTicks / timescale };
}

/** Measures an audio stream from ffprobe's output: `add` each line, then `finish`. */
export function audioRangeParser(): { add(line: string): void; finish(): AudioRange } {
  let [packets, totalBytes] = [0, 0];
  let startTicks = Number.POSITIVE_INFINITY;
  let endTicks = Number.NEGATIVE_INFINITY;
  let hasOpenEnd = false;
  let stream: ReadonlyMap<string, string> = new Map();
  return {
    add(line) {
      const { kind, fields } = parsePacketLine(line);
      if (kind === 'stream') stream = fields;
      if (kind !== 'packet') return;
      const { pts, duration, sizeBytes } = parsePacket(fields);
      packets += 1;
      totalBytes += sizeBytes;
      if (pts === undefined) return;
      startTicks = Math.min(startTicks, pts);
      endTicks = Math.max(endTicks, pts + (duration ?? 0));
      hasOpenEnd = duration === undefined;
    },
    finish() {
      const timeBase = parseTimeBase(stream.get('time_base') ?? '');
      if (timeBase === undefined) throw new TypeError('ffprobe printed no time base for the audio stream');
      // ffmpeg reports no duration of the last packet of a late track in MP4, only that of the track.
      const statedTicks = Number(stream.get('start_pts')) + Number(stream.get('duration_ts'));
      if (hasOpenEnd && statedTicks > endTicks) endTicks = statedTicks;
      const seconds = (ticks: number) => ticksToSeconds(packets === 0 ? 0 : ticks, timeBase);
      return { packets, sizeBytes: totalBytes, startSeconds: seconds(startTicks), endSeconds: seconds(endTicks) };
    },
  };
}
