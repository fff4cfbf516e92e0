import { prepareInput } from '../../../demo/input.ts';
import { type ServedFile, serveFile } from './file-server.ts';

/** Makes the clip of the demo in a directory and serves it. */
export async function servedClip(directory: string, say: (line: string) => void): Promise<ServedFile> {
  const { path } = await prepareInput(undefined, directory, say);
  return serveFile(path);
}
