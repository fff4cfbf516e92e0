import { type FilterGraph, graphText } from '../filters/filter.ts';

/** A filter graph is one argument: its text for ffmpeg, its filters for the cost model. */
export type Argument = string | FilterGraph;

/** The arguments as ffmpeg reads them. */
export function argumentTexts(outputArguments: readonly Argument[]): string[] {
  return outputArguments.map((argument) => (typeof argument === 'string' ? argument : graphText(argument)));
}

/**
 * One run of ffmpeg. `ffmpegArguments` builds its argument list and puts the guards against hostile files before every
 * input, so a recipe cannot forget them.
 */
export type Command = {
  inputs: CommandInput[];
  /** Everything after the inputs: maps, filters, encoders and the path of the output. */
  outputArguments: Argument[];
  /**
   * When the last of the streams ends that the command reads, in ffmpeg's timestamps: audio that starts late keeps its
   * time. For the progress in percent. Undefined for an image.
   */
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

/** A trusted file and its duration. */
export type ConcatFile = { path: string; seconds: number };

/**
 * An input that concatenates trusted files, each starting at the end of the one before. All files must have the same
 * codec and settings, and either all be local or all be remote.
 */
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
