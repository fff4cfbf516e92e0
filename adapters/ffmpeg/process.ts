import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable } from 'node:stream';

/** What a program may use at most; the kernel keeps these. */
export type ProcessLimits = {
  /** Largest file that it may write. */
  fileSizeBytes: number;
  /** Most address space. */
  memoryBytes: number;
};

export type ProgramCall = {
  path: string;
  arguments: string[];
  directory: string;
  limits: ProcessLimits;
  /** Where the program's shared libraries lie, if not where the system looks. */
  libraryPath?: string;
};

export type Exit = { exitCode: number | null; signal: NodeJS.Signals | null };

export type RunningProcess = {
  pid: number | undefined;
  stdout: Readable;
  stderr: Readable;
  /** Resolves when the program has ended and all of its output was read. Never rejects. */
  ended: Promise<Exit>;
  /** Signals the whole process group. */
  kill(signal: 'SIGTERM' | 'SIGKILL'): void;
};

// Limits need a shell, since Node cannot set them; `exec` then puts the program in the shell's place. The watcher
// waits on a pipe that only this process holds: when this process dies, however it dies, so does the group.
const launcher = `
{ ulimit -c 0; ulimit -f "$1"; ulimit -v "$2"; } 2>/dev/null
shift 2
{ read -r _ <&3; kill -KILL 0; } >/dev/null 2>&1 &
exec "$@" 3<&-`;

// A static build would load the system's character converters for a station's name in MPEG-TS, and crash in them.
const noConverters = { GCONV_PATH: '/nonexistent' };

// Where nothing is: text is drawn with the fonts of the directory that a command names, the same on every machine.
const noSystemFonts = { FONTCONFIG_SYSROOT: '/nonexistent' };

/** Starts a program in a process group of its own, with no input, no inherited environment and hard limits. */
export function startProcess(call: ProgramCall): RunningProcess {
  const { limits } = call;
  const blocks = String(Math.floor(limits.fileSizeBytes / 512));
  const kilobytes = String(Math.floor(limits.memoryBytes / 1024));
  const child = spawn('/bin/sh', ['-c', launcher, 'sh', blocks, kilobytes, call.path, ...call.arguments], {
    cwd: call.directory,
    detached: true,
    env: {
      ...noConverters,
      ...noSystemFonts,
      ...(call.libraryPath ? { LD_LIBRARY_PATH: call.libraryPath } : {}),
    },
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  }) as ChildProcessByStdio<null, Readable, Readable>;
  return {
    pid: child.pid,
    stdout: child.stdout,
    stderr: child.stderr,
    ended: endOf(child),
    kill: (signal) => killGroup(child.pid, signal),
  };
}

function endOf(child: ChildProcessByStdio<null, Readable, Readable>): Promise<Exit> {
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
    // The group is gone already.
  }
}
