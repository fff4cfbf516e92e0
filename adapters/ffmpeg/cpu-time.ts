import { readFileSync } from 'node:fs';

// Linux reports in ticks of 1/100 s on every architecture that Lambda or Node supports.
const ticksPerSecond = 100;

/** Seconds of processor time that a process has used over all threads; undefined where the system does not say. */
export function cpuSeconds(pid: number): number | undefined {
  try {
    // The second field is the program's name in brackets and may hold anything.
    const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ').at(-1)?.split(' ') ?? [];
    return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
  } catch {
    return undefined;
  }
}
