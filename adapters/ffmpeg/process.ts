import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable } from 'node:stream';

/** Limits that the kernel enforces (ulimit). */
export type ProcessLimits = {
  /** Maximum size of a written file. */
  fileSizeBytes: number;
  /** Maximum address space. */
  memoryBytes: number;
};

export type ProgramCall = {
  path: string;
  arguments: string[];
  directory: string;
  limits: ProcessLimits;
  /** Directory of the program's shared libraries, if it is not on the system's search path. */
  libraryPath?: string;
};

export type Exit = { exitCode: number | null; signal: NodeJS.Signals | null };

export type RunningProcess = {
  pid: number | undefined;
  stdout: Readable;
  stderr: Readable;
  /** Resolves when the program has exited and its output is read. Never rejects. */
  ended: Promise<Exit>;
  /** Signals the whole process group. */
  kill(signal: 'SIGTERM' | 'SIGKILL'): void;
};

// Node cannot set limits, so a shell sets them and then `exec`s the program. The background job reads a pipe whose only
// writer is this process: when this process dies for any reason, the read ends and the job kills the process group.
const launcher = `
{ ulimit -c 0; ulimit -f "$1"; ulimit -v "$2"; } 2>/dev/null
shift 2
{ read -r _ <&3; kill -KILL 0; } >/dev/null 2>&1 &
exec "$@" 3<&-`;

// A static build would load the system's iconv modules for an MPEG-TS service name and crash in them.
const disableIconvModules = { GCONV_PATH: '/nonexistent' };

// Text is drawn with the fonts of the directory that a command names, so output is the same on every machine.
const disableSystemFonts = { FONTCONFIG_SYSROOT: '/nonexistent' };

/** Starts a program in its own process group, without stdin or inherited environment, under hard limits. */
export function startProcess(call: ProgramCall): RunningProcess {
  const { limits } = call;
  const blocks = String(Math.floor(limits.fileSizeBytes / 512));
  const kilobytes = String(Math.floor(limits.memoryBytes / 1024));
  const child = spawn('/bin/sh', ['-c', launcher, 'sh', blocks, kilobytes, call.path, ...call.arguments], {
    cwd: call.directory,
    detached: true,
    env: {
      ...disableIconvModules,
      ...disableSystemFonts,
      LD_LIBRARY_PATH: call.libraryPath,
    },
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  }) as ChildProcessByStdio<null, Readable, Readable>;
  return {
    pid: child.pid,
    stdout: child.stdout,
    stderr: child.stderr,
    ended: waitForExit(child),
    kill: (signal) => killGroup(child.pid, signal),
  };
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
