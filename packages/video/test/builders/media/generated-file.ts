import { bareFfmpeg } from './bare-ffmpeg.ts';
import { cachedFile } from './cached-file.ts';

/** The path of a file that ffmpeg generates with these arguments on first use. */
export function generatedFile(name: string, args: readonly string[]): Promise<string> {
  return cachedFile({ name, recipe: args }, (path) => bareFfmpeg(['-v', 'error', ...args, path]));
}
