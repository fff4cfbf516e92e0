import { fixEncoderThreads } from '../codecs/encoder-arguments.ts';
import { mediaDecoders, subtitleDecoders } from '../codecs/input-decoders.ts';
import { maxOpenedStreams } from '../probe/input-limits.ts';
import { argumentTexts, type Command, type CommandInput } from './command.ts';

/** Limits that ffmpeg enforces itself. */
export type EncoderLimits = {
  maxPixels: number;
  maxAllocationBytes: number;
  /** Maximum processor time over all threads. */
  maxCpuSeconds: number;
  cpuCount: number;
};

/**
 * The allowed demuxers. Formats that refer to other files or addresses are left out: playlists, concat scripts, SVG.
 * Images are detected only by content, since `image2` goes by filename and would render a playlist named .svg.
 */
// biome-ignore format: a table
const mediaDemuxers = [
  'mov', 'mp4', 'm4a', '3gp', '3g2', 'mj2', 'matroska', 'webm', 'mpegts', 'mpeg', 'avi', 'flv', 'ogg',
  'mp3', 'aac', 'flac', 'wav', 'asf', 'gif', 'apng', 'mxf', 'dv', 'aiff', 'ac3', 'eac3', 'amr', 'caf', 'wv',
  'png_pipe', 'jpeg_pipe', 'webp_pipe', 'tiff_pipe', 'bmp_pipe',
];

/** Subtitle demuxers, allowed only for a subtitle file. */
const subtitleDemuxers = ['srt', 'webvtt', 'ass'];

const remoteOptions = [
  // Skips up to this many bytes by reading them: S3 sends them in about the time that a new request waits for its first
  // byte. A fragmented MP4, which is scanned from the start, would otherwise need one request per fragment.
  ...['-short_seek_size', String(2 * 1024 * 1024)],
  // Bytes in the socket buffer are wasted when reading stops. The kernel's default is up to 6 MB.
  ...['-recv_buffer_size', String(256 * 1024)],
];

type InputKind = Omit<CommandInput, 'path' | 'options'>;

/** The guards before every input of ffmpeg and ffprobe: one protocol, allowed demuxers and decoders, limited
 * frame size. */
export function inputGuards(
  { maxPixels }: Pick<EncoderLimits, 'maxPixels'>,
  {
    isTrusted = false,
    isSubtitles = false,
    isConcatList = false,
    isRemote = false,
    streams = maxOpenedStreams,
  }: InputKind = {},
): string[] {
  // ffmpeg detects a finished .jpg by its name, as image2, before its content.
  const trustedDemuxers = isTrusted ? ['image2', ...subtitleDemuxers] : [];
  const demuxers = isSubtitles
    ? subtitleDemuxers
    : [...mediaDemuxers, ...trustedDemuxers, ...(isConcatList ? ['concat'] : [])];
  return [
    ...['-protocol_whitelist', `${isRemote ? 'http,tcp' : 'file'}${isConcatList ? ',data' : ''}`],
    ...['-format_whitelist', demuxers.join(',')],
    ...['-codec_whitelist', (isSubtitles ? subtitleDecoders : mediaDecoders).join(',')],
    ...['-max_streams', String(streams)],
    ...['-max_pixels', String(maxPixels)],
    ...(isRemote && !isConcatList ? remoteOptions : []),
  ];
}

/** The exact argument list of a command. */
export function ffmpegArguments(command: Command, limits: EncoderLimits): string[] {
  return [
    ...['-hide_banner', '-nostdin', '-y', '-loglevel', 'level+verbose'],
    ...['-nostats', '-progress', 'pipe:1', '-stats_period', '0.5'],
    ...['-max_alloc', String(limits.maxAllocationBytes), '-timelimit', String(limits.maxCpuSeconds)],
    ...command.inputs.flatMap(({ path, options = [], ...kind }) => [
      ...inputGuards(limits, kind),
      ...options,
      // The output of an earlier step; downloads have no extension .jpg. ffmpeg would read it as an image sequence.
      ...(path.endsWith('.jpg') ? ['-f', 'jpeg_pipe'] : []),
      '-i',
      path,
    ]),
    ...fixEncoderThreads(argumentTexts(command.outputArguments), limits.cpuCount),
  ];
}
