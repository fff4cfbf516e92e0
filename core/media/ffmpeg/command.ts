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

/** A file of ours, and the seconds that it lasts. */
export type ConcatFile = { path: string; seconds: number };

/**
 * An input that reads files of ours one after the other as one, each beginning where the lengths of those before it
 * end. All must be of the same codec, with the same settings; all lie on this disk, or all are stored.
 */
export function concatListInput(
  files: readonly ConcatFile[],
  { areRemote = false }: { areRemote?: boolean } = {},
): CommandInput {
  // With its scheme: a path would otherwise be looked for beside the list, which lies nowhere.
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
