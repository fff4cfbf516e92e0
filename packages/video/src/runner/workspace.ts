import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { toDiskFullError } from '../errors.ts';
import type { FileRewriter, Workspace } from '../media/ffmpeg/ports.ts';
import { openFile } from './open-file.ts';

const prefix = 'job-';

const open = new Set<string>();

/** The directories of the jobs that this process works on. */
export const openDirectories: ReadonlySet<string> = open;

/** Reads and replaces files of this disk. */
export const fileRewriter: FileRewriter = {
  async replaceFile(path, content) {
    const written = `${path}.new`;
    await writeFile(written, content).catch((cause: unknown) => {
      throw toDiskFullError(cause);
    });
    await rename(written, path);
  },
  openFile,
};

/** Creates an empty directory for one job below `root` on the worker's disk. */
export async function openWorkspace(root: string): Promise<Workspace> {
  const directory = await mkdtemp(join(root, prefix));
  open.add(directory);
  return {
    downloadPath: (name) => join(directory, name),
    makeDirectory: async (name) => {
      const path = join(directory, name);
      await mkdir(path);
      return path;
    },
    removePath: (path) => rm(path, { recursive: true, force: true }),
    sizeBytes: async (path) => (await stat(path)).size,
    writeText: (path, content) =>
      writeFile(path, content).catch((cause: unknown) => {
        throw toDiskFullError(cause);
      }),
    readText: (path) => readFile(path, 'utf8'),
    ...fileRewriter,
    remove: async () => {
      open.delete(directory);
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/**
 * Removes the directories of all jobs below `root`. Lambda restarts a worker that ran out of memory or time, but keeps
 * its disk (AWS Lambda Developer Guide, "Failures during the invoke phase").
 */
export async function removeWorkspaces(root: string): Promise<void> {
  const names = await readdir(root);
  const leftovers = names.filter((name) => name.startsWith(prefix));
  await Promise.all(leftovers.map((name) => rm(join(root, name), { recursive: true, force: true })));
}
