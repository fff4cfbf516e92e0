import { readFileSync } from 'node:fs';

/** What a piece of work took: seconds of the wall's clock, and of all processors together. */
export type Usage = { wall: number; processor: number };

// Linux reports in ticks of 1/100 s on every architecture that Node supports.
const ticksPerSecond = 100;

/** Measures what an act takes, in this process and in the programs that it starts and waits for. Linux only. */
export async function measureUsage<Result>(act: () => Promise<Result>): Promise<Usage & { result: Result }> {
  const [startedAt, before] = [performance.now(), usedSeconds()];
  const result = await act();
  return { wall: (performance.now() - startedAt) / 1000, processor: usedSeconds() - before, result };
}

/** Of this process, and of all its children that have ended, with theirs. */
function usedSeconds(): number {
  // The second field is the program's name in brackets and may hold anything.
  const fields = readFileSync('/proc/self/stat', 'latin1').split(') ').at(-1)?.split(' ') ?? [];
  const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
  return ticks / ticksPerSecond;
}
