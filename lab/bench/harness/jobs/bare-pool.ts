import pLimit from 'p-limit';
import { type BareRunOptions, type BareRuns, wallSeconds, withBareRuns } from '../process/bare-runs.ts';

/**
 * The wall seconds of runs of ffmpeg alone, `atOnce` at a time, like `parallel -j`. Each slot has its own directory,
 * because all runs write a file of the same name.
 */
export function barePoolSeconds(
  work: BareRunOptions,
  { count, atOnce }: { count: number; atOnce: number },
): Promise<number> {
  return withSlots(work, atOnce, async (slots) => {
    const limit = pLimit(atOnce);
    const runOne = async () => {
      const slot = slots.pop();
      if (slot === undefined) throw new Error('More concurrent runs than slots');
      await slot.run();
      slots.push(slot);
    };
    return wallSeconds(() => Promise.all(Array.from({ length: count }, () => limit(runOne))));
  });
}

function withSlots<Result>(
  work: BareRunOptions,
  count: number,
  use: (slots: BareRuns[]) => Promise<Result>,
): Promise<Result> {
  if (count === 0) return use([]);
  return withBareRuns(work, (slot) => withSlots(work, count - 1, (others) => use([slot, ...others])));
}
