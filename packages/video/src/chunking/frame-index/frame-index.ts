import * as z from 'zod';
import { selectAudio } from '../../encoding/audio/map-audio.ts';
import type { Encoding } from '../../encoding/encoding.ts';
import type { ReadAt } from '../../media/boxes.ts';
import { originSecondsOf, rangeSeek } from '../../media/ffmpeg/seek.ts';
import { findAudioTrack } from '../../media/mp4/read-track.ts';
import { sampleDurations } from '../../media/mp4/sample-table.ts';
import type { Probe } from '../../media/probe/probe.ts';
import { requireVideo } from '../../media/probe/streams.ts';

/** Frame times and keyframes of a video by its packets: eight bytes per frame, 69 MB for the longest default input. */
export type FrameIndex = FrameTimes & {
  timelineOrigin: TimelineOrigin;
  /** In ascending order, at least `minKeyframeGapSeconds` apart. */
  keyframes: Keyframe[];
  /** Duration of the last frame, if the container states it. */
  lastFrameTicks?: number | undefined;
  /** Sum of all packets. */
  sizeBytes: number;
  /** Hash of the decoder configuration; left out where the codec has none. */
  extradataHash?: string;
  anomalies: FrameAnomalies;
};

export type FrameTimes = {
  timeBase: TimeBase;
  /** Presentation timestamps in ascending order, in ticks after the timeline origin. */
  pts: Float64Array;
  /** For each frame, the time of the frame before it in the source. Set where frames in between were dropped. */
  precedingPts?: Float64Array;
};

export type Keyframe = {
  /** Index into `pts`. */
  frame: number;
  bytesBefore: number;
};

/** Reasons why the packets' timestamps may differ from what a decoder shows. */
export type FrameAnomalies = {
  missingPts: number;
  corruptPackets: number;
  /** Packets beyond those that are indexed. */
  unreadPackets: number;
  /** Frames before the first keyframe, in decoding or in presentation order. */
  framesBeforeKeyframe: number;
  /** Whether a keyframe has a timestamp no later than that of the keyframe before it. */
  hasUnorderedKeyframes: boolean;
};

/** Minimum distance of keyframes in the index, which skips others: in intra-only codecs each frame is a keyframe. */
export const minKeyframeGapSeconds = 0.5;

/** Seconds from the timeline origin until a frame is shown. */
export function frameSeconds({ pts, timeBase }: FrameTimes, frame: number): number {
  return ticksToSeconds(pts[frame] ?? Number.NaN, timeBase);
}

/** Frame times in run-length form: the first PTS, then how many frames follow at which distance. */
export const storedFrameTimesSchema = z.object({
  timeBase: z.object({ numerator: z.int().min(1), denominator: z.int().min(1) }),
  firstPts: z.int(),
  deltas: z.array(z.tuple([z.int(), z.int().min(1)])),
});

export type StoredFrameTimes = z.output<typeof storedFrameTimesSchema>;

/** Encodes frame times for the chunk plan. A constant frame rate is one delta. */
export function encodeFrameTimes({ timeBase, pts }: FrameTimes): StoredFrameTimes {
  const deltas: [ticks: number, count: number][] = [];
  for (let frame = 1; frame < pts.length; frame += 1) {
    const ticks = (pts[frame] ?? 0) - (pts[frame - 1] ?? 0);
    const last = deltas.at(-1);
    if (last?.[0] === ticks) last[1] += 1;
    else deltas.push([ticks, 1]);
  }
  return { timeBase, firstPts: pts[0] ?? 0, deltas };
}

/** The same of the times that a file states, before any origin. */
export function encodeFileTimes({ timeBase, pts, timelineOrigin }: FrameIndex): StoredFrameTimes {
  const originTicks = secondsToTicks(timelineOrigin.containerSeconds, timeBase);
  return encodeFrameTimes({ timeBase, pts: pts.map((time) => time + originTicks) });
}

export function decodeFrameTimes({ timeBase, firstPts, deltas }: StoredFrameTimes): FrameTimes {
  const frameCount = deltas.reduce((sum, [, count]) => sum + count, 1);
  const pts = new Float64Array(frameCount);
  let [frame, time] = [0, firstPts];
  pts[0] = time;
  for (const [ticks, count] of deltas) {
    for (let repeat = 0; repeat < count; repeat += 1) {
      frame += 1;
      time += ticks;
      pts[frame] = time;
    }
  }
  return { timeBase, pts };
}

/** The length of one tick of a stream's timestamps, in seconds, as the ratio that the container states. */
export type TimeBase = { numerator: number; denominator: number };

/** Parses `1/30000`; undefined unless it is a ratio of positive integers. */
export function parseTimeBase(text: string): TimeBase | undefined {
  const [numerator = 0, denominator = 0] = text.split('/').map(Number);
  const isRatio = Number.isSafeInteger(numerator) && Number.isSafeInteger(denominator);
  return isRatio && numerator > 0 && denominator > 0 ? { numerator, denominator } : undefined;
}

export function ticksToSeconds(ticks: number, { numerator, denominator }: TimeBase): number {
  return (ticks * numerator) / denominator;
}

/** The nearest whole number of ticks. Halves round away from zero, as in ffmpeg. */
export function secondsToTicks(seconds: number, { numerator, denominator }: TimeBase): number {
  const microseconds = Math.round(Math.abs(seconds) * 1e6);
  return Math.sign(seconds) * Math.round((microseconds * denominator) / (1e6 * numerator));
}

/** The moment of a source that ffmpeg maps to 0 when it reads the streams of an encoding. */
export type TimelineOrigin = {
  /** The container's timestamp of that moment. */
  containerSeconds: number;
  /** The same, relative to the start time of the file. */
  fileSeconds: number;
};

/**
 * The timeline origin of an encoding, in seconds after the file's start time. In a broadcast container it is the start of
 * the earliest stream that is encoded, but after a seek that of the first video or audio.
 */
export function timelineOriginSeconds(probe: Probe, encoding: Encoding): number {
  const range = encoding.range;
  const seeks = range !== undefined && rangeSeek(probe, range).seekSeconds > 0;
  const origin = seeks ? 0 : originSecondsOf(probe, [requireVideo(probe), ...selectAudio(probe, encoding)]);
  return (probe.mediaStartSeconds ?? 0) + origin;
}

/**
 * Input options that make timestamps count from the origin, whatever the seek position and the streams that are read.
 * Offset by 1 µs: with an offset equal to the file's own start time, ffmpeg computes a new origin.
 */
export function timelineOriginOptions({ containerSeconds }: Pick<TimelineOrigin, 'containerSeconds'>): string[] {
  return ['-copyts', '-itsoffset', (1e-6 - containerSeconds).toFixed(6)];
}

/** Input options that seek to a keyframe and read from there: decoder and filters need the preroll. */
export function seekOptions(
  { seekSeconds }: { seekSeconds?: number | undefined },
  { fileSeconds }: TimelineOrigin,
): string[] {
  if (seekSeconds === undefined) return [];
  return ['-noaccurate_seek', '-ss', (seekSeconds + fileSeconds).toFixed(6)];
}

/** The frames of an audio stream, one after the other without gaps. */
export type AudioTiming = {
  /** Of each frame but the last, which may be shorter. */
  frameSeconds: number;
  /** Of the track, as far as it is played. */
  totalSeconds: number;
  /** Samples of encoder delay in the first packet, if the clock of the track counts samples of this many a second. */
  delay?: { samples: number; rateHz: number } | undefined;
};

/** The length of an audio frame, by the index of an MP4. Undefined where they differ, and for several edits. */
export async function readMp4AudioTiming(
  readFile: ReadAt,
  stream: { trackId: number; sizeBytes: number },
): Promise<AudioTiming | undefined> {
  const found = await findAudioTrack(readFile, stream);
  if (found === undefined) return undefined;
  const { timescale, times, edit } = found;
  const durations = sampleDurations(times);
  if (durations === undefined) return undefined;
  const { samples, sampleTicks } = durations;
  const totalTicks = Math.min(samples * sampleTicks, edit?.durationTicks ?? Number.POSITIVE_INFINITY);
  const delay = { samples: edit?.mediaTime ?? 0, rateHz: timescale };
  return { frameSeconds: sampleTicks / timescale, totalSeconds: totalTicks / timescale, delay };
}
