import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { toDiskFullError } from '../errors.ts';
import type { FileRewriter, Workspace } from '../media/ffmpeg/ports.ts';
import { openFile } from './open-file.ts';

/** The compiled program of `layers/launcher`, which starts ffmpeg with the least that it needs. */
export type Launcher = {
  path: string;
  /** What the programs read besides the system, `/opt` and the workspaces: the fonts. */
  readable: readonly string[];
};

type Call = { path: string; directory: string; remote?: readonly string[] };

type Settings = { launcher: Launcher; limits: { fileSizeBytes: number }; libraryPath?: string | undefined };

const prefix = 'job-';

const open = new Set<string>();

/** The directories of the jobs that this process works on. */
function openDirectories(): Iterable<string> {
  return open;
}

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

/** Options of the launcher for one call: the program reads and writes the open workspaces, and connects to its inputs. */
export function launcherOptions(
  { path, directory, remote = [] }: Call,
  { launcher, limits, libraryPath }: Settings,
): string[] {
  const read = [path, ...launcher.readable, ...(libraryPath === undefined ? [] : [libraryPath])];
  const write = [...openDirectories(), ...(directory === tmpdir() ? [] : [directory])];
  return [
    ...['-f', String(limits.fileSizeBytes)],
    ...read.flatMap((each) => ['-r', each]),
    ...write.flatMap((each) => ['-w', each]),
    ...[...new Set(remote.flatMap(portsIn))].flatMap((port) => ['-p', port]),
  ];
}

/** The ports of the range proxy in a URL, or in a list of URLs as `concatListInput` writes it. */
function portsIn(path: string): string[] {
  const [, list] = /^data:[^,]*;base64,(.*)$/.exec(path) ?? [];
  const text = list === undefined ? path : atob(list);
  return [...text.matchAll(/(?:^|')http:\/\/127\.0\.0\.1:(\d+)\//g)].map(([, port = '']) => port);
}

/** What the launcher of this machine puts around a program. Its kernel may lack layers. */
export function launcherLayers({ path }: Launcher): string[] {
  return execFileSync(path, { encoding: 'utf8', env: {} }).trim().split('\n');
}

/** Linux on x86_64 and on Lambda's arm64. */
const pageBytes = 4096;

/** Programs that run now: they share the memory of the worker. */
const running = new Set<number>();

/** Counts a program until the returned function is called. */
export function trackProgram(pid: number): () => void {
  running.add(pid);
  return () => running.delete(pid);
}

/** Resident memory of this process and of the running programs. Only of this process where `/proc` does not exist. */
export function residentBytes(): number {
  let bytes = process.memoryUsage.rss();
  for (const pid of running) bytes += residentBytesOf(pid);
  return bytes;
}

function residentBytesOf(pid: number): number {
  try {
    return Number(readFileSync(`/proc/${pid}/statm`, 'latin1').split(' ')[1]) * pageBytes;
  } catch {
    return 0;
  }
}
