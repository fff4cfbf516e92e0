import { readdirSync, readFileSync } from 'node:fs';

/**
 * The id of the one process whose environment has all of these variables; its children have others. Linux only.
 *
 * @throws Error where there is no such process, or more than one
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
 * How large a process is, or was at its largest, in bytes of memory that it really occupies.
 *
 * @throws Error for a process that has gone
 */
export function residentBytes(id: string, when: 'now' | 'at most'): number {
  const field = when === 'now' ? 'VmRSS' : 'VmHWM';
  const [, kibibytes] = new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(read(id, 'status')) ?? [];
  if (kibibytes === undefined) throw new Error(`The system does not say how large process ${id} is`);
  return Number(kibibytes) * 1024;
}

/** Empty for a process that has gone meanwhile, or is another user's. */
function read(id: string, file: 'environ' | 'status'): string {
  try {
    return readFileSync(`/proc/${id}/${file}`, 'utf8');
  } catch {
    return '';
  }
}
