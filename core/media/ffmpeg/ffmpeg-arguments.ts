import { maxStreams } from '../probe/input-limits.ts';
import type { Command, CommandInput } from './command.ts';

/** Bounds that ffmpeg keeps by itself. */
export type EncoderLimits = {
  /** Most pixels of one decoded picture. */
  maxPixels: number;
  /** Most bytes of one allocation. */
  maxAllocationBytes: number;
  /** Most seconds of processor time over all threads. */
  maxCpuSeconds: number;
};

/**
 * The containers that are read. What is not here cannot be opened in any disguise: playlists, concat scripts, SVG
 * and whatever else names other files or addresses. Pictures are known by their content only: `image2` goes by the
 * file's name, and would draw a playlist that is called .svg.
 */
const readableFormats = [
  ...['mov', 'mp4', 'm4a', '3gp', '3g2', 'mj2', 'matroska', 'webm', 'mpegts', 'mpeg', 'avi', 'flv', 'ogg'],
  ...['mp3', 'aac', 'flac', 'wav', 'asf', 'gif'],
  ...['png_pipe', 'jpeg_pipe', 'webp_pipe'],
];

/** Text that is shown over a picture; read only where nothing else is expected. */
const subtitleFormats = ['srt', 'webvtt', 'ass'];

const storedReading = [
  // Skips up to so many bytes by reading them. A request that begins anew waits about as long for its first byte as S3
  // takes to send these: an MP4 in fragments, which is looked through from its beginning, would need one for each.
  ...['-short_seek_size', String(2 * 1024 * 1024)],
  // What has been sent and not been read when reading ends was sent in vain; the kernel would take up to 6 MB.
  ...['-recv_buffer_size', String(256 * 1024)],
];

/** What an input is and where it comes from. */
type InputKind = Omit<CommandInput, 'path' | 'options'>;

/** The guards that stand before every input of ffmpeg and ffprobe: one way in, known containers, bounded pictures. */
export function inputGuards(
  { maxPixels }: Pick<EncoderLimits, 'maxPixels'>,
  { isTrusted = false, isSubtitles = false, isConcatList = false, isRemote = false }: InputKind = {},
): string[] {
  // A finished .jpg is recognised by its name before its content.
  const ours = isTrusted ? ['image2', ...subtitleFormats] : [];
  const formats = isSubtitles
    ? subtitleFormats
    : [...readableFormats, ...ours, ...(isConcatList ? ['concat'] : [])];
  return [
    ...['-protocol_whitelist', `${isRemote ? 'http,tcp' : 'file'}${isConcatList ? ',data' : ''}`],
    ...['-format_whitelist', formats.join(',')],
    ...['-max_streams', String(maxStreams)],
    ...['-max_pixels', String(maxPixels)],
    ...(isRemote && !isConcatList ? storedReading : []),
  ];
}

/** The exact argument list of a command. */
export function ffmpegArguments(command: Command, bounds: EncoderLimits): string[] {
  return [
    ...['-hide_banner', '-nostdin', '-y', '-loglevel', 'level+info'],
    ...['-nostats', '-progress', 'pipe:1', '-stats_period', '0.5'],
    ...['-max_alloc', String(bounds.maxAllocationBytes), '-timelimit', String(bounds.maxCpuSeconds)],
    ...command.inputs.flatMap(({ path, options = [], ...kind }) => [
      ...inputGuards(bounds, kind),
      ...options,
      // What another step made, since no file of a client has that name: by it ffmpeg would take it for one of a series.
      ...(path.endsWith('.jpg') ? ['-f', 'jpeg_pipe'] : []),
      '-i',
      path,
    ]),
    ...command.outputArguments,
  ];
}
