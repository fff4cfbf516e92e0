import { readdirSync, readFileSync } from 'node:fs';

/**
 * The id of the only process whose environment has all of these variables. Linux only.
 *
 * @throws Error unless exactly one process has them
 */
export function processWith(environment: Readonly<Record<string, string>>): string {
  const wanted = Object.entries(environment).map(([name, value]) => `${name}=${value}`);
  const found = readdirSync('/proc').filter((id) => {
    if (!/^\d+$/.test(id)) return false;
    const variables = read(id, 'environ').split('\0');
    return wanted.every((variable) => variables.includes(variable));
  });
  const [id] = found;
  if (id === undefined || found.length > 1) {
    throw new Error(`${found.length} processes have ${wanted.join(' and ')}: one was expected`);
  }
  return id;
}

/**
 * The resident memory of a process in bytes, now or at its peak.
 *
 * @throws Error if the process has exited
 */
export function residentBytes(id: string, when: 'now' | 'at most'): number {
  const field = when === 'now' ? 'VmRSS' : 'VmHWM';
  const [, kibibytes] = new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(read(id, 'status')) ?? [];
  if (kibibytes === undefined) throw new Error(`/proc/${id}/status has no resident size: the process has exited`);
  return Number(kibibytes) * 1024;
}

/** The memory of a process in bytes, with its share of the pages that others have, too. 0 if it has exited. */
export function proportionalBytes(id: number): number {
  return Number(/^Pss:\s+(\d+) kB$/m.exec(read(String(id), 'smaps_rollup'))?.[1] ?? 0) * 1024;
}

/** Empty if the process has exited or belongs to another user. */
function read(id: string, file: 'environ' | 'status' | 'smaps_rollup'): string {
  try {
    return readFileSync(`/proc/${id}/${file}`, 'utf8');
  } catch {
    return '';
  }
}
