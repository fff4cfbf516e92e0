import { readFileSync } from 'node:fs';

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
