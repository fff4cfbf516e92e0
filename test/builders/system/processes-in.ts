import { readdirSync, readlinkSync } from 'node:fs';

/** The ids of all processes with this working directory, shells and watchdogs included. Linux only. */
export function processesIn(directory: string): number[] {
  const ids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return ids.filter((id) => workingDirectory(id) === directory).map(Number);
}

function workingDirectory(id: string): string | undefined {
  try {
    return readlinkSync(`/proc/${id}/cwd`);
  } catch {
    return undefined;
  }
}
