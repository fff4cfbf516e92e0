import type { Chunk } from './chunk.ts';
import { type PictureIndex, shownAt } from './picture-index.ts';
import { type Place, placesOf } from './places.ts';
import { halfGapBefore, readFrom } from './run-in.ts';
import { segmentStarts } from './segments.ts';

export type CutOptions = {
  count: number;
  /** Of the source. */
  container: string;
  /** Of what is made of it, where that has segments. */
  segmentSeconds?: number | undefined;
};

/**
 * Cuts a picture into at most `count` chunks of about the same cost: before some of its keyframes, or where segments
 * begin. There are fewer where such places lie too far apart.
 */
export function cutPicture(index: PictureIndex, { count, container, segmentSeconds }: CutOptions): Chunk[] {
  const places = placesOf(index, segmentSeconds);
  const chosen = new Set<Place>();
  for (let each = 1; each < count; each += 1) {
    const nearest = nearestTo(each / count, places);
    if (nearest) chosen.add(nearest);
  }
  const cuts = [...chosen];
  const starts = segmentSeconds === undefined ? [] : segmentStarts(index, segmentSeconds);
  return Array.from({ length: cuts.length + 1 }, (_, position) => {
    const [here, next] = [cuts[position - 1], cuts[position]];
    const first = here?.picture ?? 0;
    const end = next?.picture ?? index.times.length;
    const startSeconds = shownAt(index, first);
    const inside = starts.filter((picture) => picture > first && picture < end);
    return {
      pictures: end - first,
      startSeconds,
      seconds: (next ? shownAt(index, end) : endOf(index)) - startSeconds,
      ...(here ? { keepFromSeconds: halfGapBefore(index, here) } : {}),
      ...(here ? readFrom(index, here, container) : {}),
      ...(next ? { keepUntilSeconds: halfGapBefore(index, next) } : {}),
      ...(segmentSeconds === undefined
        ? {}
        : { keyframesAt: inside.map((picture) => halfGapBefore(index, { picture })) }),
      cost: (next?.cost ?? 1) - (here?.cost ?? 0),
    };
  });
}

function nearestTo(cost: number, places: readonly Place[]): Place | undefined {
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
