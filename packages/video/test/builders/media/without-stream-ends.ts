import { readFile, writeFile } from 'node:fs/promises';
import { cachedFile } from './cached-file.ts';

/**
 * A Matroska file that states no duration of its tracks, as GStreamer and libwebm write it. ffmpeg states them in tags, which
 * the copy names otherwise.
 */
export function withoutStreamEnds(path: string): Promise<string> {
  return cachedFile({ name: 'unstated.mkv', recipe: path }, async (copy) => {
    const text = await readFile(path, 'latin1');
    await writeFile(copy, text.replaceAll('DURATION', 'UNSTATED'), 'latin1');
  });
}
