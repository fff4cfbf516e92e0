import { createHash } from 'node:crypto';
import {
  type FileHandle,
  mkdir,
  mkdtemp,
  open,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { toDiskFullError } from '../errors.ts';
import type { ReadAt } from '../media/boxes.ts';
import type { FileRewriter, Workspace } from '../media/ffmpeg/ports.ts';
import type { EditedFile } from '../media/outputs/language-tags.ts';

const prefix = 'job-';

const openFolders = new Set<string>();

/** The directories of the jobs that this process works on. */
export const openDirectories: ReadonlySet<string> = openFolders;

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
  openFolders.add(directory);
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
      openFolders.delete(directory);
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

/** Opens a file of this disk to read ranges of it. Disposing closes it. */
export async function openFile(path: string): Promise<{ readAt: ReadAt; sizeBytes: number } & AsyncDisposable> {
  return opened(await open(path));
}

/** Opens a file of this disk to change bytes of it in place. Disposing closes it. */
export async function editFile(path: string): Promise<EditedFile & AsyncDisposable> {
  const file = await open(path, 'r+');
  const writeAt = async (offset: number, bytes: Uint8Array) => void (await file.write(bytes, 0, bytes.length, offset));
  return { ...(await opened(file)), writeAt };
}

async function opened(file: FileHandle) {
  const { size: sizeBytes } = await file.stat();
  return {
    async readAt(offset: number, length: number) {
      const { buffer, bytesRead } = await file.read(new Uint8Array(length), 0, length, offset);
      return buffer.subarray(0, bytesRead);
    },
    sizeBytes,
    [Symbol.asyncDispose]: () => file.close(),
  };
}

const blockBytes = 2 ** 20;

/** SHA-256 as 64 hexadecimal digits. One block is read again and again: V8 would collect those of a stream late. */
export async function hashFile(path: string, signal?: AbortSignal): Promise<string> {
  const hash = createHash('sha256');
  const block = Buffer.allocUnsafeSlow(blockBytes);
  await using file = await open(path);
  for (;;) {
    signal?.throwIfAborted();
    const { bytesRead } = await file.read(block, 0, blockBytes, null);
    if (bytesRead === 0) return hash.digest('hex');
    hash.update(block.subarray(0, bytesRead));
  }
}
