import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { openDirectories } from './workspace.ts';

/** The compiled program of `layers/launcher`, which starts ffmpeg with the least that it needs. */
export type Launcher = {
  path: string;
  /** What the programs read besides the system, `/opt` and the workspaces: the fonts. */
  readable: readonly string[];
};

type Call = { path: string; directory: string; remote?: readonly string[] };

type Settings = { launcher: Launcher; limits: { fileSizeBytes: number }; libraryPath?: string | undefined };

/** Options of the launcher for one call: the program reads and writes the open workspaces, and connects to its inputs. */
export function launcherOptions(
  { path, directory, remote = [] }: Call,
  { launcher, limits, libraryPath }: Settings,
): string[] {
  const read = [path, ...launcher.readable, ...(libraryPath === undefined ? [] : [libraryPath])];
  const write = [...openDirectories, ...(directory === tmpdir() ? [] : [directory])];
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
