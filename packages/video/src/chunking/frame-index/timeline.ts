import { selectAudio } from '../../encoding/audio/encode-audio.ts';
import { type Encoding, rangeOf } from '../../encoding/encoding.ts';
import { rangeSeek } from '../../encoding/video/time-range.ts';
import type { ReadAt } from '../../media/boxes.ts';
import { originSecondsOf } from '../../media/ffmpeg/seek.ts';
import { findAudioTrack } from '../../media/mp4/read-track.ts';
import { sampleDurations } from '../../media/mp4/sample-table.ts';
import type { Probe } from '../../media/probe/probe.ts';
import { requireVideo } from '../../media/probe/streams.ts';

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
  const range = rangeOf(encoding);
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

/**
 * Reads how long the frames of an audio track of an MP4 or MOV are, by ranges of its index. Undefined where they differ, and
 * for fragments and several edits.
 */
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
