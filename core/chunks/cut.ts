import type { Chunk } from './chunk.ts';
import { type Entry, type PictureIndex, shownAt } from './picture-index.ts';
import { halfGapBefore, readFrom } from './run-in.ts';
import { secondsOf } from './ticks.ts';

// Half of a smaller gap could be rounded to either side.
const leastGapTicks = 2;
const leastGapSeconds = 10e-6;

/**
 * Cuts a picture before some of its keyframes into at most `count` chunks of about the same cost. There are fewer where
 * keyframes lie too far apart.
 */
export function cutPicture(
  index: PictureIndex,
  { count, container }: { count: number; container: string },
): Chunk[] {
  const places = index.entries.flatMap((entry, position) =>
    canCutBefore(index, entry) ? [{ ...entry, position, cost: costBefore(index, entry) }] : [],
  );
  const chosen = new Set<(typeof places)[number]>();
  for (let each = 1; each < count; each += 1) {
    const nearest = nearestTo(each / count, places);
    if (nearest) chosen.add(nearest);
  }
  const cuts = [...chosen];
  return Array.from({ length: cuts.length + 1 }, (_, position) => {
    const [here, next] = [cuts[position - 1], cuts[position]];
    const first = here?.picture ?? 0;
    const end = next?.picture ?? index.times.length;
    const startSeconds = shownAt(index, first);
    return {
      ...{ pictures: end - first, startSeconds },
      seconds: (next ? shownAt(index, end) : endOf(index)) - startSeconds,
      ...(here ? { keepFromSeconds: halfGapBefore(index, here) } : {}),
      ...(here ? readFrom(index, here, container) : {}),
      ...(next ? { keepUntilSeconds: halfGapBefore(index, next) } : {}),
      cost: (next?.cost ?? 1) - (here?.cost ?? 0),
    };
  });
}

function canCutBefore({ times, timeBase }: PictureIndex, { picture }: Entry): boolean {
  if (picture === 0) return false;
  const gap = (times[picture] ?? 0) - (times[picture - 1] ?? 0);
  return gap >= leastGapTicks && secondsOf(gap, timeBase) >= leastGapSeconds;
}

/** What lies before it, as a share of the whole: pictures take time each, and more of it where there is more in them. */
function costBefore({ times, sizeBytes }: PictureIndex, { picture, bytesBefore }: Entry): number {
  const share = picture / times.length;
  return sizeBytes === 0 ? share : (share + bytesBefore / sizeBytes) / 2;
}

function nearestTo<Place extends { cost: number }>(
  cost: number,
  places: readonly Place[],
): Place | undefined {
  const distance = (place: Place) => Math.abs(place.cost - cost);
  return places.reduce<Place | undefined>(
    (best, place) => (best === undefined || distance(place) < distance(best) ? place : best),
    undefined,
  );
}

/** The end of the last picture, as if it were shown as long as the one before. */
function endOf(index: PictureIndex): number {
  const last = index.times.length - 1;
  return shownAt(index, last) + (last === 0 ? 0 : shownAt(index, last) - shownAt(index, last - 1));
}
