import { type FfprobeStream, ffprobeOutputSchema } from './ffprobe-output.ts';
import type { Probe, Stream, VideoStream } from './probe.ts';
import { toRotation } from './read-orientation.ts';
import type { WebpAnimation } from './read-webp.ts';
import { isImageContainer } from './streams.ts';

/**
 * Reads ffprobe's JSON answer to `ffprobeArguments`.
 * @throws SyntaxError or ZodError where it is not such an answer.
 */
export function readProbe(json: string): Probe {
  const { format, streams } = ffprobeOutputSchema.parse(JSON.parse(json));
  const still = isImageContainer(format.format_name);
  const start = format.start_time ?? 0;
  const tagsSayEnds = format.tags?.ENCODER?.startsWith('Lavf') === true;
  return {
    container: format.format_name,
    sizeBytes: format.size ?? 0,
    ...durationOf(still ? undefined : format.duration),
    streams: streams.map((stream) => readStream(stream, { start, isStill: still, tagsSayEnds })),
  };
}

/**
 * Whether the duration has to be measured by reading the file: it is missing, as in a browser's recordings, or
 * ffprobe's log says that it is a guess.
 */
export function needsMeasuredDuration(probe: Probe, log: string): boolean {
  const isPlayed = probe.streams.some(({ kind }) => kind === 'video' || kind === 'audio');
  if (!isPlayed || isImageContainer(probe.container)) return false;
  return probe.durationSeconds === undefined || log.includes('Estimating duration from bitrate');
}

/** The same probe with a duration that was measured; what the streams claimed came from the same guess. */
export function withMeasuredDuration(probe: Probe, durationSeconds: number): Probe {
  const streams = probe.streams.map(({ durationSeconds: _, ...stream }) => stream);
  return { ...probe, durationSeconds, streams };
}

/** The same probe with the size of a picture that was too large to be opened, which only ffprobe's log tells. */
export function withOversizedDimensions(probe: Probe, log: string): Probe {
  const size = /(\d+)x(\d+) (?:exceeds specified max pixel count|is invalid)/.exec(log);
  if (!size) return probe;
  const [width, height] = [Number(size[1]), Number(size[2])];
  const streams = probe.streams.map((stream) =>
    stream.kind === 'video' && stream.width === 0 ? { ...stream, width, height } : stream,
  );
  return { ...probe, streams };
}

/** Whether it is a file of subtitles, of which ffprobe does not say how long they last. */
export function isSubtitleFile({ container }: Probe): boolean {
  return container === 'srt' || container === 'webvtt';
}

/** Whether it is a WebP that ffprobe could make nothing of, as it can of none that moves. */
export function mayBeAnimatedWebp({ streams: [first] }: Probe): boolean {
  return first?.kind === 'video' && first.codec === 'webp' && first.width === 0;
}

/** The same probe with what an animated WebP says of itself. */
export function withWebpAnimation(
  probe: Probe,
  { width, height, frameCount, durationSeconds }: WebpAnimation,
): Probe {
  const framesPerSecond = durationSeconds > 0 ? { framesPerSecond: frameCount / durationSeconds } : {};
  const streams = probe.streams.map((stream) => ({
    ...stream,
    durationSeconds,
    ...(stream.kind === 'video' ? { width, height, ...framesPerSecond } : {}),
  }));
  return { ...probe, durationSeconds, streams };
}

type File = {
  start: number;
  isStill: boolean;
  /** In Matroska, ffmpeg tags a stream with the time of its end, and mkvmerge with its length. */
  tagsSayEnds: boolean;
};

function readStream(stream: FfprobeStream, file: File): Stream {
  const language = stream.tags?.language;
  const base = {
    index: stream.index,
    codec: stream.codec_name ?? 'unknown',
    isDefault: stream.disposition?.default === 1,
    startSeconds: Math.max(0, (stream.start_time ?? file.start) - file.start),
    ...(language && /^[a-z]{3}$/.test(language) && language !== 'und' ? { language } : {}),
    ...durationOf(file.isStill ? undefined : (stream.duration ?? taggedDuration(stream, file))),
  };
  switch (stream.codec_type) {
    case 'video':
      return { kind: 'video', ...base, ...picture(stream, file) };
    case 'audio':
      return {
        kind: 'audio',
        ...base,
        channels: stream.channels ?? 0,
        sampleRateHz: stream.sample_rate ?? 0,
        ...sampleDepth(stream),
      };
    case 'subtitle':
      return { kind: 'subtitle', ...base, isForced: stream.disposition?.forced === 1 };
    case 'attachment':
      return { kind: 'attachment', ...base };
    default:
      return { kind: 'data', ...base };
  }
}

/** FLAC and ALAC say it as raw, PCM in floats as not raw. */
function sampleDepth({ bits_per_raw_sample: raw, bits_per_sample: stored }: FfprobeStream): {
  bitDepth?: number;
} {
  const bitDepth = raw || stored;
  return bitDepth ? { bitDepth } : {};
}

type Picture = Omit<VideoStream, 'kind' | 'index' | 'codec' | 'isDefault' | 'startSeconds'>;

function picture(stream: FfprobeStream, { isStill }: File): Picture {
  const rotation = rotationOf(stream);
  const pixelAspect = ratio(stream.sample_aspect_ratio, ':') || 1;
  const stored = { width: Math.round((stream.width ?? 0) * pixelAspect), height: stream.height ?? 0 };
  const isUpright = rotation === 0 || rotation === 180;
  const framesPerSecond = isStill ? 0 : ratio(stream.avg_frame_rate, '/');
  const baseFramesPerSecond = isStill ? 0 : ratio(stream.r_frame_rate, '/');
  const hdrTransfer = hdrTransferOf(stream.color_transfer);
  const dolbyVision = dolbyVisionOf(stream);
  return {
    width: isUpright ? stored.width : stored.height,
    height: isUpright ? stored.height : stored.width,
    rotation,
    pixelAspect,
    ...(framesPerSecond > 0 ? { framesPerSecond } : {}),
    ...(baseFramesPerSecond > 0 ? { baseFramesPerSecond } : {}),
    ...(stream.pix_fmt ? { pixelFormat: stream.pix_fmt } : {}),
    bitDepth: bitDepthOf(stream.pix_fmt),
    isInterlaced: ['tt', 'bb', 'tb', 'bt'].includes(stream.field_order ?? ''),
    ...(stream.color_space && stream.color_space !== 'unknown' ? { colorMatrix: stream.color_space } : {}),
    ...(stream.color_range === 'pc' && stream.color_space !== 'gbr' ? { isFullRange: true } : {}),
    ...(hdrTransfer ? { hdrTransfer } : {}),
    ...(dolbyVision ? { dolbyVision } : {}),
    ...(stream.disposition?.dependent === 1 ? { isTile: true } : {}),
    isAttachedPicture: stream.disposition?.attached_pic === 1,
  };
}

/** A display matrix counts anticlockwise, the old `rotate` tag clockwise. */
function rotationOf(stream: FfprobeStream): VideoStream['rotation'] {
  const matrix = stream.side_data_list?.find((data) => data.rotation !== undefined)?.rotation;
  const clockwise = matrix === undefined ? (stream.tags?.rotate ?? 0) : -matrix;
  return toRotation(clockwise);
}

function hdrTransferOf(transfer: string | undefined): VideoStream['hdrTransfer'] {
  if (transfer === 'smpte2084') return 'pq';
  return transfer === 'arib-std-b67' ? 'hlg' : undefined;
}

/** Profile 5, and 10 of AV1, may have a picture that nothing else can show. */
function dolbyVisionOf({ side_data_list: data = [] }: FfprobeStream): VideoStream['dolbyVision'] {
  const said = data.find(({ dv_profile: profile }) => profile !== undefined);
  if (said === undefined) return undefined;
  const { dv_profile: profile, dv_bl_signal_compatibility_id: compatibleWith = 0 } = said;
  return (profile === 5 || profile === 10) && compatibleWith === 0 ? 'alone' : 'beside';
}

/** `yuv420p10le` is 10, `rgb48le` 16 a channel; a name without a depth is 8. */
function bitDepthOf(pixelFormat = ''): number {
  const depth = /(9|10|12|14|16|48|64)(le|be)$/.exec(pixelFormat)?.[1];
  if (depth === '48' || depth === '64') return 16;
  return depth ? Number(depth) : 8;
}

/** `30000/1001` as a number; 0 for what is not a ratio. */
function ratio(text: string | undefined, separator: string): number {
  const [over, under] = (text ?? '').split(separator).map(Number);
  return over && under ? over / under : 0;
}

function taggedDuration({ tags, start_time = 0 }: FfprobeStream, { tagsSayEnds }: File): number | undefined {
  const tagged = clock(tags?.DURATION);
  return tagged !== undefined && tagsSayEnds ? tagged - start_time : tagged;
}

/** Matroska's `00:01:02.500000000` in seconds. */
function clock(text: string | undefined): number | undefined {
  const parts = /^(\d+):(\d\d):(\d\d(?:\.\d+)?)$/.exec(text ?? '');
  return parts ? Number(parts[1]) * 3600 + Number(parts[2]) * 60 + Number(parts[3]) : undefined;
}

function durationOf(seconds: number | undefined): { durationSeconds?: number } {
  return seconds !== undefined && seconds > 0 ? { durationSeconds: seconds } : {};
}
