import { prepareInput } from '../../demo/input.ts';
import { serveFile } from './file-server.ts';

/** The clip of the demo: a copy on this disk, and the URL under which jobs get it. */
export type ServedClip = { path: string; url: string; close(): Promise<void> };

/** Makes the clip in a directory and serves it. Whoever calls this closes it. */
export async function servedClip(directory: string, say: (line: string) => void): Promise<ServedClip> {
  const { path } = await prepareInput(undefined, directory, say);
  return { path, ...(await serveFile(path)) };
}
