import { readFileSync } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** What the processes of a sandbox use together. */
export type ProcessUsage = { residentBytes: number; threads: number };

/**
 * Adds up a process and its descendants. A page that several processes share counts for each of them. Linux only:
 * elsewhere it returns zeros.
 */
export function processUsage(pid: number): ProcessUsage {
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
export async function allocatedBytes(directory: string): Promise<number> {
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
