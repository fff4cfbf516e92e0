import { durationToleranceSeconds } from '../duration-tolerance.ts';
import type { FfprobeStream } from './ffprobe-output.ts';

/** What the durations of a file mean. */
export type DurationMeaning = {
  /** Timestamp of the start of the file in seconds. */
  start: number;
  /** Durations count from timestamp 0. */
  durationsAreEnds: boolean;
  /** The meaning of Matroska's DURATION tag: ffmpeg writes the end of a stream, mkvmerge its duration. */
  durationTagIsEnd: boolean;
};

/**
 * The streams of an AVI whose header states more frames than fit in their duration: ffprobe estimates it without an index. The
 * number of frames counts.
 */
export function withStatedFrames(container: string, streams: readonly FfprobeStream[]): readonly FfprobeStream[] {
  const video = streams.find(({ codec_type: type }) => type === 'video');
  const [frames = 0, seconds = 0] = (video?.avg_frame_rate ?? '').split('/').map(Number);
  const duration = ((video?.nb_frames ?? 0) * seconds) / frames;
  if (container !== 'avi' || !(duration - (video?.duration ?? duration) > durationToleranceSeconds(duration)))
    return streams;
  return streams.map((stream) => ({ ...stream, duration: stream === video ? duration : undefined }));
}

/** The duration of a stream in seconds, as its tag or the container states it. Beside a tag, ffprobe may guess that of the file. */
export function durationOf(stream: FfprobeStream, file: DurationMeaning): number | undefined {
  const { duration, start_time: start = file.start } = stream;
  const tagged = taggedDuration(stream, file);
  if (tagged !== undefined || duration === undefined) return tagged;
  return file.durationsAreEnds ? duration - start : duration;
}

function taggedDuration(stream: FfprobeStream, { durationTagIsEnd }: DurationMeaning): number | undefined {
  const tagged = durationTag(stream);
  return tagged !== undefined && durationTagIsEnd ? tagged - (stream.start_time ?? 0) : tagged;
}

/** Matroska's DURATION tag in seconds. Some versions of mkvmerge give the tag a language, which ffprobe appends to its name. */
export function durationTag({ tags }: FfprobeStream): number | undefined {
  return parseTimestamp(tags?.DURATION ?? tags?.['DURATION-eng']);
}

/** Converts Matroska's `00:01:02.500000000` to seconds. */
function parseTimestamp(text: string | undefined): number | undefined {
  const match = /^(\d+):(\d\d):(\d\d(?:\.\d+)?)$/.exec(text ?? '');
  return match ? Number(match[1]) * 3600 + Number(match[2]) * 60 + Number(match[3]) : undefined;
}

/** Undefined for a duration or rate that ffprobe does not know. */
export function positive(value: number | undefined): number | undefined {
  return value !== undefined && value > 0 ? value : undefined;
}
