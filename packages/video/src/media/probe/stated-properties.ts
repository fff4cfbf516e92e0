import { durationToleranceSeconds } from '../frame-rate.ts';
import { type FfprobeStream, ffprobeOutputSchema } from './ffprobe-output.ts';
import { isMedia } from './measured-duration.ts';
import type { Probe, Stream, VideoStream } from './probe.ts';
import { endSecondsOf, isBroadcast, isKnown, mainVideo, streamsOfProgram } from './streams.ts';

/** Containers whose rate is that of all packets. In others, a parser may take it from the first one. */
const measuredRates = ['mov,mp4,m4a,3gp,3g2,mj2', 'flac', 'wav', 'mp3'];

/** Codecs with one rate, which each packet states. */
const constantRates = ['ac3', 'eac3', 'dts', 'mp2', 'mp3'];

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

export function positive(value: number | undefined): number | undefined {
  return value !== undefined && value > 0 ? value : undefined;
}

/** Containers whose duration counts from timestamp 0 in files of some writers, as in recordings of live streams. */
const containers = ['mov,mp4,m4a,3gp,3g2,mj2', 'matroska,webm', 'asf', 'flv', 'ogg'];

/** Start of a file from which on its end differs from its duration. */
const minStartSeconds = 0.5;

/** More than two seconds of any streams. */
const maxPackets = 4000;

/** A read of the last packets of a file, by a seek to its end. */
export type EndReading = { startSeconds: number; statedSeconds: number };

/**
 * The read that tells a duration from an end, which ffprobe reports as duration: of a fragmented MP4 that does not count from
 * 0, and of other files as their writers count. Undefined if the two do not differ.
 * @param json output of `ffprobeArguments`
 */
export function endReading(json: string): EndReading | undefined {
  const { format, streams } = ffprobeOutputSchema.parse(JSON.parse(json));
  const { format_name: container, start_time: startSeconds = 0, duration: statedSeconds = 0 } = format;
  const countsFrames = streams.some(({ nb_frames: frames }) => frames);
  if (!containers.includes(container) || countsFrames) return undefined;
  // An end is later than the start.
  if (startSeconds < minStartSeconds || statedSeconds < startSeconds) return undefined;
  return { startSeconds, statedSeconds };
}

/** Arguments for ffprobe. A seek to the end, or behind it, lands at the last keyframe. */
export function endArguments({ startSeconds, statedSeconds }: EndReading): string[] {
  const position = (startSeconds + statedSeconds).toFixed(6);
  return [
    ...['-read_intervals', `${position}%+#${maxPackets}`],
    ...['-show_entries', 'packet=pts_time', '-print_format', 'csv=p=0'],
  ];
}

/** Whether the duration is the end, by the times of the last packets. False without packets. */
export function statesEnd({ startSeconds, statedSeconds }: EndReading, csv: string): boolean {
  const last = Math.max(...csv.split('\n').map(Number.parseFloat).filter(Number.isFinite));
  return Math.abs(last - statedSeconds) < Math.abs(last - statedSeconds - startSeconds);
}

/**
 * The probe of a file with times from its first video or audio, of the program with its main video. The file itself may
 * start earlier: with another program, teletext, subtitles, or audio that ffmpeg cannot decode.
 * @param fileStart timestamp in seconds from which its times count
 */
export function fromMediaStart(
  probe: Probe,
  { streams, fileStart }: { streams: readonly FfprobeStream[]; fileStart: number },
): Probe {
  const start = Math.max(fileStart, mediaStart(probe, streams) ?? fileStart);
  const mediaStartSeconds = start - fileStart;
  const isMoved = mediaStartSeconds > 0;
  const isStated = isMoved || (isBroadcast(probe) && start > 0);
  const file = { ...probe, ...(isStated && { startTimestampSeconds: start }) };
  if (!isMoved) return file;
  const streamsFromStart = probe.streams.map((stream) => ({
    ...stream,
    startSeconds: Math.max(0, stream.startSeconds - mediaStartSeconds),
  }));
  const moved = { ...file, mediaStartSeconds, streams: streamsFromStart };
  return { ...moved, durationSeconds: endSecondsOf(moved, streamsOfProgram(moved).filter(isMedia)) };
}

function mediaStart(probe: Probe, streams: readonly FfprobeStream[]): number | undefined {
  const own = streamsOfProgram(probe)
    .filter((stream) => isMedia(stream) && isKnown(stream))
    .map(({ index }) => index);
  const starts = streams.filter(({ index }) => own.includes(index)).flatMap((each) => each.start_time ?? []);
  return starts.length === 0 ? undefined : Math.min(...starts);
}

/** What containers state of any stream. mkvmerge writes statistics as tags. */
export function statedProperties(
  { tags, bit_rate: rate, nb_frames: packets, profile, codec_name: codec = '' }: FfprobeStream,
  container: string,
): Pick<Stream, 'bitsPerSecond' | 'packets' | 'profile'> {
  const isRateTrue = measuredRates.includes(container) || constantRates.includes(codec) || codec.startsWith('pcm_');
  return {
    bitsPerSecond: positive(tags?.BPS ?? tags?.['BPS-eng'] ?? (isRateTrue ? rate : undefined)),
    packets: positive(packets ?? tags?.NUMBER_OF_FRAMES ?? tags?.['NUMBER_OF_FRAMES-eng']),
    profile: declared(profile),
  };
}

/** ffprobe's name; undefined if the file declares none. */
export function declared(name: string | undefined): string | undefined {
  return name === 'unknown' ? undefined : name || undefined;
}

export function colorRangeOf({ color_range: range }: FfprobeStream): VideoStream['colorRange'] {
  if (range === 'pc') return 'full';
  return range === 'tv' ? 'limited' : undefined;
}

/**
 * The level of a stream as its standard writes it, such as `4.1`, from the number that ffprobe prints. Undefined for other
 * codecs, and for a level that is not stated.
 *
 * @param level H.264: ten times the level (ISO/IEC 14496-10, annex A.3), 9 for 1b. H.265: thirty times (ISO/IEC 23008-2,
 * annex A.4). AV1: `seq_level_idx` (annex A.3). VP9: ten times.
 */
export function levelOf(codec: string, level = 0): string | undefined {
  if (level <= 0 && !(codec === 'av1' && level === 0)) return undefined;
  if (codec === 'av1') return level > 23 ? undefined : `${2 + (level >> 2)}.${level & 3}`;
  if (codec === 'hevc') return (level / 30).toFixed(1);
  if (codec === 'h264') return level === 9 ? '1b' : (level / 10).toFixed(1);
  return codec === 'vp9' ? (level / 10).toFixed(1) : undefined;
}

export type Programs = readonly (readonly number[])[];

/** The positions of the programs with a stream. Undefined unless a file has several programs. */
export function programsOf({ index }: FfprobeStream, programs: Programs): number[] | undefined {
  const own = [...programs.keys()].filter((position) => programs[position]?.includes(index));
  return programs.length > 1 && own.length > 0 ? own : undefined;
}

/** Containers of which ffprobe reports the rate of the codec's header, such as the time scale of H.264, as the average. */
const misstatingContainers = ['matroska,webm', 'mpegts', 'mpeg', 'flv', 'avi', 'asf', 'ogg'];

/** Whether frame rates of a container are compared with the times of frames. */
export function mayMisstateRate({ container }: Pick<Probe, 'container'>): boolean {
  return misstatingContainers.includes(container);
}

/**
 * The main video, if its packets show whether the stated rate is true. Each packet of an interlaced video may be a field, so
 * its rate is compared with decoded frames.
 */
export function videoOfMeasuredRate(probe: Probe): VideoStream | undefined {
  const video = mainVideo(probe);
  if (video?.framesPerSecond === undefined || !mayMisstateRate(probe)) return undefined;
  return video.isInterlaced || video.hasUnknownFieldOrder ? undefined : video;
}

/** Interlaced video has 25 or 29.97 frames a second. A higher rate may be that of its fields. */
const maxInterlacedFps = 32;

/**
 * Whether the container may state the rate of the fields. For interlaced video, mkvmerge states the duration of a field
 * (DefaultDuration) and ffmpeg that of a frame. ffmpeg reads both as that of a frame.
 */
export function mayStateFieldRate(
  { container }: Pick<Probe, 'container'>,
  { framesPerSecond = 0 }: Pick<VideoStream, 'framesPerSecond'>,
): boolean {
  return container === 'matroska,webm' && framesPerSecond > maxInterlacedFps;
}
