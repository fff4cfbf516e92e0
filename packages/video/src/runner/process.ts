import { type ChildProcessByStdio, execFileSync, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import type { Readable } from 'node:stream';
import { memoryReserve } from '../encoding/encoder-memory.ts';
import { openDirectories } from './workspace.ts';

export type ProcessLimits = {
  /** Maximum size of a written file. The kernel enforces it (ulimit). */
  fileSizeBytes: number;
  /**
   * Maximum resident memory of this process and its programs together. The watchdog enforces it: `ulimit -v` counts
   * address space, which encoders reserve several times over.
   */
  memoryBytes: number;
};

export type ProgramCall = {
  path: string;
  arguments: string[];
  directory: string;
  /** The inputs that are read at the range proxy: its URLs, or lists of them. */
  remote?: readonly string[];
};

export type ProcessSettings = {
  limits: ProcessLimits;
  /** Directory of the programs' shared libraries, if it is not on the system's search path. */
  libraryPath?: string | undefined;
  launcher?: Launcher | undefined;
};

export type Exit = { exitCode: number | null; signal: NodeJS.Signals | null };

export type RunningProcess = {
  pid: number | undefined;
  limits: ProcessLimits;
  stdout: Readable;
  stderr: Readable;
  /** Resolves when the program has exited and its output is read. Never rejects. */
  ended: Promise<Exit>;
  /** Signals the whole process group. */
  kill(signal: 'SIGTERM' | 'SIGKILL'): void;
};

// Node cannot set limits. Without the launcher a shell sets them and then `exec`s the program. The background job reads a
// pipe whose only writer is this process: when this process dies for any reason, the read ends and the job kills the group.
const shellLauncher = `
{ ulimit -c 0; ulimit -f "$1"; } 2>/dev/null
shift
{ read -r _ <&3; kill -KILL 0; } >/dev/null 2>&1 &
exec "$@" 3<&-`;

// A static build would load the system's iconv modules for an MPEG-TS service name and crash in them.
const disableIconvModules = { GCONV_PATH: '/nonexistent' };

// Text is drawn with the fonts of the directory that a command names, so output is the same on every machine.
const disableSystemFonts = { FONTCONFIG_SYSROOT: '/nonexistent' };

/** Starts a program in its own process group, without stdin or inherited environment, under hard limits. */
export function startProcess(call: ProgramCall, settings: ProcessSettings): RunningProcess {
  const { limits } = settings;
  const [program, ...options] = limiter(call, settings);
  const child = spawn(program, [...options, call.path, ...call.arguments], {
    cwd: call.directory,
    detached: true,
    env: { ...disableIconvModules, ...disableSystemFonts, LD_LIBRARY_PATH: settings.libraryPath },
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  }) as ChildProcessByStdio<null, Readable, Readable>;
  return {
    pid: child.pid,
    limits,
    stdout: child.stdout,
    stderr: child.stderr,
    ended: waitForExit(child),
    kill: (signal) => killGroup(child.pid, signal),
  };
}

function limiter(call: ProgramCall, settings: ProcessSettings): [string, ...string[]] {
  const { launcher, limits } = settings;
  if (launcher) return [launcher.path, ...launcherOptions(call, { ...settings, launcher })];
  return ['/bin/sh', '-c', shellLauncher, 'sh', String(Math.floor(limits.fileSizeBytes / 512))];
}

function waitForExit(child: ChildProcessByStdio<null, Readable, Readable>): Promise<Exit> {
  const lifeline = child.stdio[3] as Readable | null;
  lifeline?.on('error', () => {});
  return new Promise((resolve) => {
    child.once('exit', () => lifeline?.destroy());
    child.once('close', (exitCode, signal) => resolve({ exitCode, signal }));
    child.once('error', () => resolve({ exitCode: 127, signal: null }));
  });
}

function killGroup(pid: number | undefined, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch {
    // The group has already exited.
  }
}

/** Why the watchdog ended a program, and the limit that it exceeded. */
export type Termination =
  | { reason: 'timeLimit' | 'stall' | 'length'; seconds: number }
  | { reason: 'memory'; megabytes: number };

export type Watchdog = {
  /** Resets the stall timer. */
  reportProgress(): void;
  /** Ends the program for a reason that its output shows. */
  end(termination: Termination): void;
  /** Stops watching. Returns the termination if the watchdog ended the program. */
  stop(): Termination | undefined;
};

/** A program that uses less than this share of one CPU counts as idle. */
const minWorkingShare = 0.02;

// Linux counts 100 ticks per second on every architecture that Lambda or Node supports.
const ticksPerSecond = 100;

/**
 * Ends a program that is aborted, exceeds its time limit or its memory, or stalls. A stall is `stallSeconds` without
 * progress and without CPU use: an exact seek may decode for minutes before the first frame is written.
 */
export function startWatchdog(
  process: RunningProcess,
  options: { signal: AbortSignal; timeLimitSeconds: number; stallSeconds: number; graceSeconds: number },
): Watchdog {
  const { signal, timeLimitSeconds, stallSeconds, graceSeconds } = options;
  let termination: Termination | undefined;
  let killTimer: NodeJS.Timeout | undefined;
  const terminate = () => {
    process.kill('SIGTERM');
    killTimer ??= setTimeout(() => process.kill('SIGKILL'), graceSeconds * 1000);
  };
  const timeLimit = setTimeout(() => {
    termination ??= { reason: 'timeLimit', seconds: timeLimitSeconds };
    terminate();
  }, timeLimitSeconds * 1000);
  const stall = detectStall(process, stallSeconds, () => {
    termination ??= { reason: 'stall', seconds: stallSeconds };
    process.kill('SIGKILL');
  });
  const stopMemoryWatch = watchMemory(process, () => {
    termination ??= { reason: 'memory', megabytes: Math.round(process.limits.memoryBytes / 2 ** 20) };
    process.kill('SIGKILL');
  });
  signal.addEventListener('abort', terminate, { once: true });
  if (signal.aborted) terminate();
  return {
    reportProgress: stall.reportProgress,
    end(reason) {
      if (termination !== undefined) return;
      termination = reason;
      terminate();
    },
    stop() {
      clearTimeout(timeLimit);
      clearTimeout(killTimer);
      stall.stop();
      stopMemoryWatch();
      signal.removeEventListener('abort', terminate);
      return termination;
    },
  };
}

const memoryIntervalMs = 50;

/** Programs that run now: they share the memory of the worker. */
const running = new Set<number>();

function watchMemory({ pid, limits }: RunningProcess, onExceeded: () => void): () => void {
  if (pid === undefined) return () => undefined;
  running.add(pid);
  const maxBytes = limits.memoryBytes * (1 - memoryReserve);
  const timer = setInterval(() => {
    if (residentBytes() > maxBytes) onExceeded();
  }, memoryIntervalMs);
  return () => {
    clearInterval(timer);
    running.delete(pid);
  };
}

function detectStall({ pid }: RunningProcess, stallSeconds: number, onStall: () => void) {
  const usedCpuSeconds = () => (pid === undefined ? 0 : (readCpuSeconds(pid) ?? 0));
  const intervalMs = (stallSeconds * 1000) / 10;
  let lastProgressMs = performance.now();
  let lastUsed = usedCpuSeconds();
  const timer = setInterval(() => {
    const used = usedCpuSeconds();
    const share = (used - lastUsed) / (intervalMs / 1000);
    lastUsed = used;
    if (share > minWorkingShare) lastProgressMs = performance.now();
    if (performance.now() - lastProgressMs >= stallSeconds * 1000) onStall();
  }, intervalMs);
  return {
    reportProgress: () => {
      lastProgressMs = performance.now();
    },
    stop: () => clearInterval(timer),
  };
}

/** CPU seconds of a process over all threads; undefined where `/proc` does not exist. */
function readCpuSeconds(pid: number): number | undefined {
  try {
    // The second field is the program's name in parentheses, which may contain any character.
    const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ').at(-1)?.split(' ') ?? [];
    return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
  } catch {
    return undefined;
  }
}

/** The compiled program of `layers/launcher`, which starts ffmpeg with the least that it needs. */
export type Launcher = {
  path: string;
  /** What the programs read besides the system, `/opt` and the workspaces: the fonts. */
  readable: readonly string[];
};

/** Options of the launcher for one call: the program reads and writes the open workspaces, and connects to its inputs. */
function launcherOptions(
  { path, directory, remote = [] }: ProgramCall,
  { launcher, limits, libraryPath }: ProcessSettings & { launcher: Launcher },
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

/** Resident memory of this process and of the running programs. Only of this process where `/proc` does not exist. */
function residentBytes(): number {
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
