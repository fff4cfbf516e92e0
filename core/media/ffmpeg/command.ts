/**
 * One run of ffmpeg. Its full argument list is made by `ffmpegArguments`, which puts the guards against hostile
 * files before every input: a recipe cannot forget them.
 */
export type Command = {
  inputs: CommandInput[];
  /** Everything after the inputs: maps, filters, encoders and the path of the output. */
  outputArguments: string[];
  /** Seconds of media that the command writes, from which its percentage derives; left out for a picture. */
  durationSeconds?: number;
};

export type CommandInput = {
  path: string;
  /** Options of this input only, such as `-ss`. */
  options?: string[];
  /** A file that an earlier command of the same plan wrote. */
  isTrusted?: boolean;
  /** An object behind a door on this machine, whose path is its address there; with `isConcatList`, a list of such. */
  isRemote?: boolean;
  /** A list of files of ours to be read one after the other, made by `concatListInput`. */
  isConcatList?: boolean;
  /** A client's file of subtitles. */
  isSubtitles?: boolean;
};
