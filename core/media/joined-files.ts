import type { CommandInput } from './command.ts';

/** A file of ours, and the seconds that it lasts. */
export type JoinedFile = { path: string; seconds: number };

/**
 * An input that reads files of ours one after the other as one, each beginning where the lengths of those before it
 * end. All must be of the same codec, with the same settings.
 */
export function joinedFiles(files: readonly JoinedFile[]): CommandInput {
  const lines = files.flatMap(({ path, seconds }) => [
    // With its scheme: it would otherwise be looked for beside the list, which lies nowhere.
    `file 'file:${path.replaceAll("'", "'\\''")}'`,
    `duration ${seconds.toFixed(6)}`,
  ]);
  const script = ['ffconcat version 1.0', ...lines, ''].join('\n');
  const text = btoa(String.fromCodePoint(...new TextEncoder().encode(script)));
  return { path: `data:text/plain;base64,${text}`, options: ['-f', 'concat', '-safe', '0'], isJoin: true };
}
