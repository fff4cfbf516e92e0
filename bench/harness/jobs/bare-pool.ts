import pLimit from 'p-limit';
import { type BareRunOptions, type BareRuns, wallSeconds, withBareRuns } from './bare-ffmpeg.ts';

/**
 * The wall seconds of so many runs of ffmpeg alone, a few at a time, as `parallel -j` would make them. Each place has a
 * directory of its own, since they all write a file of the same name.
 */
export function barePoolSeconds(
  work: BareRunOptions,
  { count, atOnce }: { count: number; atOnce: number },
): Promise<number> {
  return withPlaces(work, atOnce, async (places) => {
    const limit = pLimit(atOnce);
    const runOne = async () => {
      const place = places.pop();
      if (place === undefined) throw new Error('More runs at once than places');
      await place.run();
      places.push(place);
    };
    return wallSeconds(() => Promise.all(Array.from({ length: count }, () => limit(runOne))));
  });
}

function withPlaces<Result>(
  work: BareRunOptions,
  count: number,
  use: (places: BareRuns[]) => Promise<Result>,
): Promise<Result> {
  if (count === 0) return use([]);
  return withBareRuns(work, (place) => withPlaces(work, count - 1, (others) => use([place, ...others])));
}
