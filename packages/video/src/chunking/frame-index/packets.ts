import type { RemoteMedia } from '../../media/ffmpeg/ports.ts';
import type { AudioRange } from '../../media/mp4/read-track.ts';
import { type AudioTiming, type FrameIndex, parseTimeBase, ticksToSeconds } from './frame-index.ts';

/** ffprobe arguments that print one line per packet of a stream, then one for the stream and one for the container. */
export const packetArguments = [
  ...['-show_entries', 'packet=pts,duration,size,flags'],
  ...['-show_entries', 'stream=time_base,start_pts,duration_ts,extradata_hash:format=start_time'],
  // ffprobe hashes the data of every packet although only the extradata hash is shown: SHA-256 is slower than reading.
  ...['-show_data_hash', 'murmur3', '-print_format', 'compact'],
];

/** ffprobe arguments that print the lines of the stream and of the container alone, with which no packet is read. */
export const streamArguments = [
  ...['-show_entries', 'stream=id,codec_name,time_base:format=format_name,size,start_time'],
  ...['-print_format', 'compact'],
];

/** A packet of a stream. Times are in ticks of the stream's time base. */
export type Packet = {
  /** Left out where the container has no timestamp for it. */
  pts?: number;
  duration?: number;
  sizeBytes: number;
  isKeyframe: boolean;
  /** Decoded but never shown, such as the frames before the start of an MP4 edit list. */
  isDiscarded: boolean;
  isCorrupt: boolean;
};

/** Splits a line such as `packet|pts=0|size=3786|flags=K__` into its section and its fields. */
export function parsePacketLine(line: string): { kind: string; fields: ReadonlyMap<string, string> } {
  const [kind = '', ...rest] = line.split('|');
  const pairs = rest.map((pair): [string, string] => {
    const at = pair.indexOf('=');
    return [pair.slice(0, at), pair.slice(at + 1)];
  });
  return { kind, fields: new Map(pairs) };
}

export function parsePacket(fields: ReadonlyMap<string, string>): Packet {
  const flags = fields.get('flags') ?? '';
  return {
    pts: integerOf(fields.get('pts')),
    duration: integerOf(fields.get('duration')),
    sizeBytes: Number(fields.get('size')) || 0,
    isKeyframe: flags.includes('K'),
    isDiscarded: flags.includes('D'),
    isCorrupt: flags.includes('C'),
  };
}

function integerOf(text: string | undefined): number | undefined {
  const value = text === undefined || text === '' ? Number.NaN : Number(text);
  return Number.isSafeInteger(value) ? value : undefined;
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

export type PacketReadOptions = {
  signal: AbortSignal;
  /** Wall-clock limit. */
  timeLimitSeconds: number;
  /** `output`: a file that the service wrote. If it is unreadable, the error is `TRANSCODE_ERROR`. */
  role?: 'input' | 'output';
  /** Set for an input that is not on this disk: its path is then a URL of the range proxy. */
  remote?: RemoteMedia | undefined;
};

type VideoStreamRef = {
  /** Index of the stream in the file. */
  stream: number;
  /** As `timelineOriginSeconds` returns it. */
  fileSeconds: number;
};

/** Reads packets without decoding them. Throws `JobError` if the file is unreadable. */
export type PacketReader = {
  readFrameIndex(path: string, from: VideoStreamRef, options: PacketReadOptions): Promise<FrameIndex>;
  /** Undefined if the file has no index, or its frames differ in length. */
  readAudioTiming(
    path: string,
    from: Pick<VideoStreamRef, 'stream'>,
    options: PacketReadOptions,
  ): Promise<AudioTiming | undefined>;
  /** Of the first audio stream. */
  readAudioRange(path: string, options: PacketReadOptions): Promise<AudioRange>;
};
