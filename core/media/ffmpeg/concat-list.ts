import type { CommandInput } from './command.ts';

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
