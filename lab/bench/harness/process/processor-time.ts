import { readFileSync } from 'node:fs';

/** Wall seconds and CPU seconds of a task. */
export type Usage = { wall: number; processor: number };

// Linux reports in ticks of 1/100 s on every architecture that Node supports.
const ticksPerSecond = 100;

/** Measures the time of an action, in this process and in the programs that it starts and waits for. Linux only. */
export async function measureUsage<Result>(act: () => Promise<Result>): Promise<Usage & { result: Result }> {
  const [startedAt, before] = [performance.now(), usedSeconds()];
  const result = await act();
  return { wall: (performance.now() - startedAt) / 1000, processor: usedSeconds() - before, result };
}

/** CPU seconds of this process and of its ended descendants. */
export function usedSeconds(): number {
  // The second field is the program's name in brackets, which may contain spaces.
  const fields = readFileSync('/proc/self/stat', 'latin1').split(') ').at(-1)?.split(' ') ?? [];
  const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
  return ticks / ticksPerSecond;
}
