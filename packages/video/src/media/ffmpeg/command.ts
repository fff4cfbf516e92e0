import { mediaDecoders, subtitleDecoders } from '../codecs/input-decoders.ts';
import { type FilterGraph, graphText } from '../filters/filter.ts';
import { maxOpenedStreams } from '../probe/input-limits.ts';

/** A filter graph is one argument: its text for ffmpeg, its filters for the cost model. */
export type Argument = string | FilterGraph;

/** The arguments as ffmpeg reads them. */
export function argumentTexts(outputArguments: readonly Argument[]): string[] {
  return outputArguments.map((argument) => (typeof argument === 'string' ? argument : graphText(argument)));
}

/** One run of ffmpeg. `ffmpegArguments` puts the guards before every input, so a recipe cannot forget them. */
export type Command = {
  inputs: CommandInput[];
  /** Everything after the inputs: maps, filters, encoders and the path of the output. */
  outputArguments: Argument[];
  /** The end of the last stream that is read, in ffmpeg's timestamps: for the progress. Undefined for an image. */
  durationSeconds?: number | undefined;
};

export type CommandInput = {
  path: string;
  /** Options of this input only, such as `-ss`. */
  options?: string[];
  /** A file that an earlier command of the same plan wrote. */
  isTrusted?: boolean;
  /** The path is a URL of the range proxy; with `isConcatList`, a list of such URLs. */
  isRemote?: boolean;
  /** A list of trusted files to read one after the other, made by `concatListInput`. */
  isConcatList?: boolean;
  /** A subtitle file of a client. */
  isSubtitles?: boolean;
  /** The number of streams that ffmpeg may open, if it is more than the usual limit: the tiles of a photo. */
  streams?: number;
};

export type ConcatFile = { path: string; seconds: number };

/** Concatenates trusted files of one codec and settings, each from the end of the one before, local or remote. */
export function concatListInput(
  files: readonly ConcatFile[],
  { areRemote = false }: { areRemote?: boolean | undefined } = {},
): CommandInput {
  // The scheme makes the path absolute. Without it, ffmpeg resolves it relative to the list, a data: URL.
  const scheme = areRemote ? '' : 'file:';
  const lines = files.flatMap(({ path, seconds }) => [
    `file '${scheme}${path.replaceAll("'", "'\\''")}'`,
    `duration ${seconds.toFixed(6)}`,
  ]);
  const script = ['ffconcat version 1.0', ...lines, ''].join('\n');
  const text = btoa(String.fromCodePoint(...new TextEncoder().encode(script)));
  const list = { path: `data:text/plain;base64,${text}`, options: ['-f', 'concat', '-safe', '0'] };
  return { ...list, isConcatList: true, ...(areRemote && { isRemote: true }) };
}

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

const subtitleDemuxers = ['srt', 'webvtt', 'ass'];

const remoteOptions = [
  // Skips up to this many bytes by reading them: S3 sends them in about the time that a new request waits for its first
  // byte. A fragmented MP4, which is scanned from the start, would otherwise need one request per fragment.
  ...['-short_seek_size', String(2 * 1024 * 1024)],
  // Bytes in the socket buffer are wasted when reading stops. The kernel's default is up to 6 MB.
  ...['-recv_buffer_size', String(256 * 1024)],
];

/** The guards before every input of ffmpeg and ffprobe: one protocol, allowed demuxers and decoders, limited
 * frame size. */
export function inputGuards(
  { maxPixels }: Pick<EncoderLimits, 'maxPixels'>,
  { isTrusted, isSubtitles, isConcatList, isRemote, ...kind }: Omit<CommandInput, 'path' | 'options'> = {},
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
    ...['-max_streams', String(kind.streams ?? maxOpenedStreams)],
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

/** The number of threads that an encoder takes for itself, by the CPUs of its machine. */
const threadsByEncoder: Record<string, (cpuCount: number) => number> = {
  libx264: (cpuCount) => Math.max(1, Math.floor((cpuCount * 3) / 2)),
  // Frames that x265 encodes at the same time.
  libx265: (cpuCount) => [4, 8, 16].filter((count) => cpuCount >= count).length + 1,
};

/**
 * Writes the number of threads after each encoder whose frames depend on it, unless it is there: the command makes the same
 * bytes on a machine with another number of CPUs. VP9 and AV1 are the same with any number.
 */
export function fixEncoderThreads(outputArguments: readonly string[], cpuCount: number): string[] {
  return outputArguments.flatMap((argument, index) => {
    const threads = outputArguments[index - 1] === '-c:v' ? threadsByEncoder[argument] : undefined;
    if (threads === undefined || outputArguments[index + 1] === '-threads:v') return [argument];
    return [argument, '-threads:v', String(threads(cpuCount))];
  });
}
