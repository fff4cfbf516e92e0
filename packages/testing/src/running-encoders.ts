import { readdirSync, readFileSync } from 'node:fs';

/** The process ids of the ffmpegs whose arguments name a file below a directory. Linux only. */
export function runningEncoders(directory: string): number[] {
  const ids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return ids.filter((id) => isEncoder(argumentsOf(id), directory)).map(Number);
}

function isEncoder([program = '', ...args]: string[], directory: string): boolean {
  return program.endsWith('/ffmpeg') && args.some((each) => each.startsWith(directory));
}

function argumentsOf(id: string): string[] {
  try {
    return readFileSync(`/proc/${id}/cmdline`, 'utf8').split('\0');
  } catch {
    return [];
  }
}
