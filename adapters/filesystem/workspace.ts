import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Workspace } from '../../core/media/workspace.ts';

/** Makes an empty directory for one job below `root`, the worker's own disk. */
export async function openWorkspace(root: string): Promise<Workspace> {
  const directory = await mkdtemp(join(root, 'job-'));
  return {
    downloadPath: (name) => join(directory, name),
    makeDirectory: async (name) => {
      const path = join(directory, name);
      await mkdir(path);
      return path;
    },
    removeDirectory: (path) => rm(path, { recursive: true, force: true }),
    sizeBytes: async (path) => (await stat(path)).size,
    writeText: (path, content) => writeFile(path, content),
    readText: (path) => readFile(path, 'utf8'),
    remove: () => rm(directory, { recursive: true, force: true }),
  };
}
