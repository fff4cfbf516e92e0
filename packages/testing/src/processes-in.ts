import { readdirSync, readlinkSync } from 'node:fs';
import { expect, vi } from 'vitest';

/** The ids of all processes with this working directory, shells and watchdogs included. Linux only. */
export function processesIn(directory: string): number[] {
  const ids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return ids.filter((id) => workingDirectory(id) === directory).map(Number);
}

/** Waits until `processesIn` is empty: the kernel ends a killed process some time after `kill` returns. */
export async function expectNoProcessIn(directory: string): Promise<void> {
  await vi.waitFor(() => expect(processesIn(directory)).toEqual([]), { timeout: 20_000 });
}

function workingDirectory(id: string): string | undefined {
  try {
    return readlinkSync(`/proc/${id}/cwd`);
  } catch {
    return undefined;
  }
}
