import { readFileSync } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { FunctionPlan } from '../template/stage-plan.ts';
import type { FunctionError } from './runtime-api.ts';

/** Lambda's quota for processes and threads together. */
const maxThreads = 1024;

const memoryIntervalMs = 100;
const storageIntervalMs = 1000;
const mb = 1024 * 1024;

export type WatchedSandbox = {
  pid: number;
  plan: Pick<FunctionPlan, 'memoryMb' | 'storageMb'>;
  temporaryDirectory: string;
  /** An idle sandbox is not watched: on Lambda it is frozen. */
  isIdle: () => boolean;
  /** Called once, with the error of the invocation and a line for the log. */
  onExceeded: (error: FunctionError, line: string) => void;
};

/**
 * Watches the memory and threads of a sandbox ten times a second, and its `/tmp` once a second. Returns a function that
 * ends it.
 */
export function watchLimits({ pid, plan, temporaryDirectory, isIdle, onExceeded }: WatchedSandbox): () => void {
  const stop = () => {
    clearInterval(processes);
    clearInterval(storage);
  };
  const exceeded = (errorType: string, reason: string) => {
    stop();
    const errorMessage = 'Runtime exited with error: signal: killed';
    onExceeded({ errorType, errorMessage }, `${errorMessage} ${errorType} (${reason})`);
  };
  let samplesAbove = 0;
  const processes = setInterval(() => {
    if (isIdle()) return;
    const { residentBytes, threads } = processUsage(pid);
    // Between fork and exec the pages of a process count twice.
    samplesAbove = residentBytes > plan.memoryMb * mb ? samplesAbove + 1 : 0;
    if (samplesAbove === 2) {
      const used = Math.ceil(residentBytes / mb);
      exceeded('Runtime.OutOfMemory', `Memory Size: ${plan.memoryMb} MB, Memory Used: ${used} MB`);
    } else if (threads > maxThreads) {
      exceeded('Runtime.ExitError', `${threads} processes and threads; Lambda allows ${maxThreads}`);
    }
  }, memoryIntervalMs).unref();
  const storage = setInterval(async () => {
    if (isIdle()) return;
    const bytes = await allocatedBytes(temporaryDirectory);
    if (bytes <= plan.storageMb * mb) return;
    const used = Math.ceil(bytes / mb);
    exceeded('Runtime.ExitError', `/tmp has ${used} MB; EphemeralStorage allows ${plan.storageMb} MB`);
  }, storageIntervalMs).unref();
  return stop;
}

/** What the processes of a sandbox use together. */
export type ProcessUsage = { residentBytes: number; threads: number };

/**
 * Adds up a process and its descendants. A page that several processes share counts for each of them. Linux only:
 * elsewhere it returns zeros.
 */
function processUsage(pid: number): ProcessUsage {
  const status = readProc(`/proc/${pid}/status`);
  const own: ProcessUsage = {
    residentBytes: Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) * 1024,
    threads: Number(/^Threads:\s+(\d+)$/m.exec(status)?.[1] ?? 0),
  };
  const children = readProc(`/proc/${pid}/task/${pid}/children`).split(' ').filter(Boolean);
  return children.map(Number).map(processUsage).reduce(addUsage, own);
}

function addUsage(left: ProcessUsage, right: ProcessUsage): ProcessUsage {
  return {
    residentBytes: left.residentBytes + right.residentBytes,
    threads: left.threads + right.threads,
  };
}

/** Empty for a process that has ended. */
function readProc(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

/** The allocated bytes of all files in a directory. Files may come and go meanwhile. */
async function allocatedBytes(directory: string): Promise<number> {
  const entries = await readdir(directory, { recursive: true }).catch(() => []);
  const sizes = await Promise.all(
    entries.map((name) =>
      lstat(join(directory, name)).then(
        ({ blocks }) => blocks * 512,
        () => 0,
      ),
    ),
  );
  return sizes.reduce((sum, bytes) => sum + bytes, 0);
}
