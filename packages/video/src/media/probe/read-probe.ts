import type { Size } from '../frame-size.ts';
import { type FfprobeStream, ffprobeOutputSchema, hdrMetadataOf, hdrTransferOf } from './ffprobe-output.ts';
import { readFontType } from './fonts.ts';
import { mayBeEmpty, withTaggedEnds } from './measured-duration.ts';
import type { AudioAccessibility, Probe, Stream, VideoStream } from './probe.ts';
import { canonicalTag, guessTag } from './stated-languages.ts';
import {
  colorRangeOf,
  type DurationMeaning,
  declared,
  durationOf,
  durationTag,
  fromMediaStart,
  levelOf,
  type Programs,
  positive,
  programsOf,
  statedProperties,
  withStatedFrames,
} from './stated-properties.ts';
import { hasDiscreteChannels, isImageContainer, readAmbisonics } from './streams.ts';
import { turnOf } from './turn.ts';

/**
 * Parses ffprobe's JSON output of `ffprobeArguments`.
 * @param durationsAreEnds whether durations count from timestamp 0, as `statesEnd` finds
 * @throws SyntaxError or ZodError for other text
 */
export function readProbe(json: string, { durationsAreEnds = false } = {}): Probe {
  const { format, streams: found, programs } = ffprobeOutputSchema.parse(JSON.parse(json));
  const streams = withStatedFrames(format.format_name, found);
  const duration = streams === found ? format.duration : streams.find((stream) => stream.duration)?.duration;
  const still = isImageContainer(format.format_name);
  const start = format.start_time ?? 0;
  const hasVideo = streams.some(({ codec_type: type }) => type === 'video');
  // A recording of one program may keep the names of the others.
  const indexesByProgram = programs
    .map((program) => program.streams.map(({ index }) => index))
    .filter(({ length }) => length > 0);
  const durationTagIsEnd = format.tags?.ENCODER?.startsWith('Lavf') === true;
  const probe: Probe = {
    container: format.format_name,
    sizeBytes: format.size ?? 0,
    durationSeconds: positive(still || duration === undefined ? undefined : duration - (durationsAreEnds ? start : 0)),
    timecode: timecodeOf([format, ...streams]),
    streams: streams.map((stream) =>
      readStream(isStillItem(stream, streams) ? { ...stream, disposition: { attached_pic: 1 } } : stream, {
        container: format.format_name,
        hasVideo,
        start,
        isStill: still,
        durationsAreEnds,
        durationTagIsEnd,
        programs: indexesByProgram,
        hasIamf: hasIamf(format.format_name, streams),
      }),
    ),
  };
  return fromMediaStart(withTaggedEnds(probe), { streams, fileStart: start });
}

const imageCodecs = ['mjpeg', 'png'];

/**
 * Whether a stream is a cover image, as a track of one frame, or the still image of an animated AVIF or HEIF. From 7 on, ffmpeg
 * lists it before the track, whose id it may share.
 */
function isStillItem(stream: FfprobeStream, streams: readonly FfprobeStream[]) {
  const { codec_type: type, codec_name: codec = '', nb_frames: counted, duration } = stream;
  const isImage = imageCodecs.includes(codec) || (counted === 1 && duration === undefined);
  if (type !== 'video' || framesOf(stream) !== 1 || !isImage) return false;
  return streams.some((other) => other.codec_type === type && framesOf(other) > 1);
}

/** The frames that a container counts. Matroska has only tags for it. */
function framesOf(stream: FfprobeStream): number {
  const { nb_frames: counted, tags, avg_frame_rate: rate } = stream;
  const tagged = tags?.NUMBER_OF_FRAMES ?? tags?.['NUMBER_OF_FRAMES-eng'];
  return counted ?? tagged ?? Math.round((durationTag(stream) ?? 0) * ratio(rate, '/'));
}

/** Adds the size of a video that was too large to open, which only ffprobe's log has. */
export function withOversizedDimensions(probe: Probe, log: string): Probe {
  const size = /(\d+)x(\d+) (?:exceeds specified max pixel count|is invalid)/.exec(log);
  if (!size) return probe;
  const [width, height] = [Number(size[1]), Number(size[2])];
  const streams = probe.streams.map((stream) =>
    stream.kind === 'video' && stream.width === 0 ? { ...stream, width, height } : stream,
  );
  return { ...probe, streams };
}

/** ffprobe reports no duration for subtitle files. */
export function isSubtitleFile({ container }: Probe): boolean {
  return container === 'srt' || container === 'webvtt';
}

type FileProperties = DurationMeaning & {
  container: string;
  hasVideo: boolean;
  isStill: boolean;
  programs: Programs;
  hasIamf: boolean;
};

/**
 * Whether the audio is IAMF, whose track holds a stream of one or two channels for each pair of loudspeakers. From 7.0 on
 * ffmpeg demuxes them as streams of their own, without a tag and a number of frames, which a track of MP4 has.
 */
function hasIamf(container: string, streams: readonly FfprobeStream[]): boolean {
  const isPart = ({ codec_type: type, codec_tag_string: tag, nb_frames: frames }: FfprobeStream) =>
    type === 'audio' && tag === '[0][0][0][0]' && frames === undefined;
  return container.includes('mp4') && streams.filter(isPart).length > 1;
}

/** ffprobe has no name for WebVTT and TTML in MP4 (ISO 14496-30), and takes them for data. */
function kindOf({ codec_type: type, codec_tag_string: tag = '' }: FfprobeStream): string | undefined {
  return type === 'data' && ['wvtt', 'stpp'].includes(tag) ? 'subtitle' : type;
}

/** ffprobe's name, else the tag of the container, such as `iamf`. */
function codecOf(
  { codec_name: name, codec_tag_string: tag = '', codec_type: type }: FfprobeStream,
  file: FileProperties,
): string {
  if (type === 'audio' && tag === '[0][0][0][0]' && file.hasIamf) return 'iamf';
  if (name !== undefined && name !== 'unknown') return name;
  return /^[\w-]{4}$/.test(tag) ? tag : 'unknown';
}

function readStream(stream: FfprobeStream, file: FileProperties): Stream {
  const language = stream.tags?.language;
  const isCode = language === undefined || /^[a-z]{3}$/.test(language);
  const tag = isCode ? undefined : canonicalTag(language);
  const guess = isCode || tag ? undefined : guessTag(language);
  const base = {
    index: stream.index,
    id: stream.id,
    codec: codecOf(stream, file),
    isDefault: stream.disposition?.default === 1,
    startSeconds: Math.max(0, (stream.start_time ?? file.start) - file.start),
    language: language && /^[a-z]{3}$/.test(language) && language !== 'und' ? language : undefined,
    languageTag: tag ?? guess,
    languageGuess: guess && `the file calls it ${language?.slice(0, 40)}`,
    title: titleOf(stream),
    durationSeconds: positive(file.isStill ? undefined : durationOf(stream, file)),
    programs: programsOf(stream, file.programs),
    ...statedProperties(stream, file.container),
  };
  switch (kindOf(stream)) {
    case 'video':
      return {
        kind: 'video',
        ...base,
        ...videoProperties(stream, file),
        mayBeEmpty: durationTag(stream) === 0 || undefined,
      };
    case 'audio':
      return {
        kind: 'audio',
        ...base,
        channels: stream.channels ?? 0,
        channelLayout: declared(stream.channel_layout),
        sampleRateHz: stream.sample_rate ?? 0,
        bitDepth: sampleDepth(stream),
        hasDiscreteChannels: hasDiscreteChannels(stream, file) || undefined,
        ambisonics: readAmbisonics(stream.channel_layout, stream.channels ?? 0),
        accessibility: audioAccessibility(stream),
        // ffprobe itself reports the duration of the file for such a track.
        isEmpty: durationTag(stream) === 0 || undefined,
        mayBeEmpty: mayBeEmpty(stream, file) || undefined,
      };
    case 'subtitle':
      return { kind: 'subtitle', ...base, isForced: stream.disposition?.forced === 1, isCaptions: isCaptions(stream) };
    case 'attachment':
      return { kind: 'attachment', ...base, fontType: readFontType(stream.tags?.mimetype) };
    default:
      return { kind: 'data', ...base };
  }
}

function titleOf({ tags }: FfprobeStream): string | undefined {
  const text = tags?.title?.replaceAll(/[\p{C}\p{Z}\s]+/gu, ' ').replaceAll('"', "'") ?? '';
  return [...text].slice(0, 60).join('').trim() || undefined;
}

/** MP4 has one role where MPEG-TS and Matroska have flags: ffprobe reports the flags that it may mean. */
function audioAccessibility({ disposition = {} }: FfprobeStream): AudioAccessibility | undefined {
  if (disposition.dependent === 1) return 'receiver-mix';
  if (disposition.visual_impaired === 1 || disposition.descriptions === 1) return 'description';
  return disposition.hearing_impaired === 1 ? 'clean-audio' : undefined;
}

function isCaptions({ disposition = {} }: FfprobeStream): true | undefined {
  return disposition.hearing_impaired === 1 || disposition.captions === 1 || undefined;
}

/** FLAC and ALAC report the depth as raw, float PCM as stored. */
function sampleDepth({ bits_per_raw_sample: raw, bits_per_sample: stored }: FfprobeStream): number | undefined {
  return raw || stored || undefined;
}

type TimecodeTags = { timecode?: string | undefined; TIMECODE?: string | undefined };

/** MOV has it on a track of its own, MXF on the file, Matroska in capitals. Other text is not passed on to ffmpeg. */
function timecodeOf(tagged: readonly { tags?: TimecodeTags | undefined }[]): string | undefined {
  return tagged
    .map(({ tags }) => tags?.timecode ?? tags?.TIMECODE)
    .find((timecode) => timecode !== undefined && /^\d\d:\d\d:\d\d[:;.]\d\d$/.test(timecode));
}

type VideoProperties = Omit<VideoStream, 'kind' | 'index' | 'codec' | 'isDefault' | 'startSeconds'>;

function videoProperties(stream: FfprobeStream, { isStill, container }: FileProperties): VideoProperties {
  const turn = turnOf(stream);
  const pixelAspect = ratio(stream.sample_aspect_ratio, ':') || 1;
  const decoded = croppedSize(stream);
  const stored = { width: Math.round(decoded.width * pixelAspect), height: decoded.height };
  const isUpright = turn.rotation % 180 === 0;
  const baseFramesPerSecond = isStill ? 0 : ratio(stream.r_frame_rate, '/');
  const averageFps = isStill ? 0 : ratio(stream.avg_frame_rate, '/');
  return {
    width: isUpright ? stored.width : stored.height,
    height: isUpright ? stored.height : stored.width,
    ...turn,
    pixelAspect,
    framesPerSecond: positive(isRounded(averageFps, baseFramesPerSecond, container) ? baseFramesPerSecond : averageFps),
    baseFramesPerSecond: positive(baseFramesPerSecond),
    reordersFrames: (stream.has_b_frames ?? 0) > 0 || undefined,
    pixelFormat: pixelFormatOf(stream, container),
    bitDepth: bitDepthOf(stream.pix_fmt),
    hasUnknownFieldOrder: (stream.codec_name === 'h264' && stream.field_order === undefined) || undefined,
    isInterlaced: ['tt', 'bb', 'tb', 'bt'].includes(stream.field_order ?? ''),
    colorMatrix: declared(stream.color_space),
    colorPrimaries: declared(stream.color_primaries),
    colorTransfer: declared(stream.color_transfer),
    chromaLocation: stream.chroma_location === 'unspecified' ? undefined : stream.chroma_location,
    colorRange: colorRangeOf(stream),
    level: levelOf(stream.codec_name ?? '', stream.level),
    isFullRange: stream.color_range === 'pc' && stream.color_space !== 'gbr' ? true : undefined,
    hdrTransfer: hdrTransferOf(stream.color_transfer),
    hdrMetadata: statedHdrMetadata(stream),
    dolbyVision: dolbyVisionOf(stream),
    projection: stream.side_data_list?.find((data) => data.projection !== undefined)?.projection,
    isAttachedPicture: stream.disposition?.attached_pic === 1,
  };
}

/**
 * Of a raw DV file, ffprobe reports the ticks of its clock as the average, 60000; of FLV, which states the rate as a number, a
 * near fraction.
 */
function isRounded(averageFps: number, baseFps: number, container: string): boolean {
  return container === 'dv' || (container === 'flv' && Math.abs(averageFps / baseFps - 1) < 2e-5);
}

function pixelFormatOf({ codec_name: codec, pix_fmt: format, tags }: FfprobeStream, container: string) {
  // ffprobe's own decoders of VP8 and VP9 do not see the transparency.
  if (tags?.alpha_mode === '1') return 'yuva420p';
  // BITMAPINFOHEADER leaves the fourth byte of a pixel unused: it is usually 0, and ffmpeg takes it for transparency.
  if (container === 'avi' && codec === 'rawvideo' && format === 'bgra') return 'bgr0';
  return format || undefined;
}

/**
 * The size of decoded frames. From 7.1 on, ffmpeg crops them as MP4's `clap` and Matroska's `PixelCrop` state, and ffprobe
 * reports the stored size with the crop beside it. Before, neither knows the crop.
 */
function croppedSize({ width = 0, height = 0, side_data_list: data = [] }: FfprobeStream): Size {
  const crop: Partial<(typeof data)[number]> = data.find(({ crop_left: left }) => left !== undefined) ?? {};
  const { crop_left: left = 0, crop_right: right = 0, crop_top: top = 0, crop_bottom: bottom = 0 } = crop;
  return { width: width - left - right, height: height - top - bottom };
}

/** Matroska and MP4 state it for codecs whose frames may not, such as VP9. */
function statedHdrMetadata({ color_transfer: transfer, side_data_list: data = [] }: FfprobeStream) {
  return hdrTransferOf(transfer) === 'pq' ? hdrMetadataOf(data) : undefined;
}

/** Profile 5, and profile 10 of AV1, may have a base layer that other players cannot show. */
function dolbyVisionOf({ side_data_list: data = [] }: FfprobeStream): VideoStream['dolbyVision'] {
  const found = data.find(({ dv_profile: profile }) => profile !== undefined);
  if (found === undefined) return undefined;
  const { dv_profile: profile, dv_bl_signal_compatibility_id: compatibleWith = 0 } = found;
  return (profile === 5 || profile === 10) && compatibleWith === 0 ? 'incompatible' : 'compatible';
}

/** 10 for `yuv420p10le`, 16 per channel for `rgb48le`, 8 for a name without a depth. */
function bitDepthOf(pixelFormat = ''): number {
  const depth = /(9|10|12|14|16|48|64)(le|be)$/.exec(pixelFormat)?.[1];
  if (depth === '48' || depth === '64') return 16;
  return depth ? Number(depth) : 8;
}

/** `30000/1001` as a number; 0 for other text. */
function ratio(text: string | undefined, separator: string): number {
  const [numerator, denominator] = (text ?? '').split(separator).map(Number);
  return numerator && denominator ? numerator / denominator : 0;
}
