import type { Entry, PictureIndex } from './picture-index.ts';
import { segmentStarts, startsOfChunks } from './segments.ts';
import { secondsOf } from './ticks.ts';

/** Where a picture may be cut. */
export type Place = {
  /** The first picture behind the cut. */
  picture: number;
  /** The last entry that is not behind it, by its position in the index. */
  position: number;
  /** What lies before it, as a share of the whole work. */
  cost: number;
};

// Half of a smaller gap could be rounded to either side.
const leastGapTicks = 2;
const leastGapSeconds = 10e-6;

/** Before its keyframes, or where segments begin that are made of it. */
export function placesOf(index: PictureIndex, segmentSeconds: number | undefined): Place[] {
  const places = segmentSeconds === undefined ? entriesOf(index) : segmentsOf(index, segmentSeconds);
  return places
    .filter(({ picture }) => canCutBefore(index, picture))
    .map(({ picture, position, bytesBefore }) => ({
      picture,
      position,
      cost: costBefore(index, { picture, bytesBefore }),
    }));
}

type Uncosted = Entry & Pick<Place, 'position'>;

function entriesOf({ entries }: PictureIndex): Uncosted[] {
  return entries.map((entry, position) => ({ ...entry, position }));
}

/** Between entries, as many bytes are taken for each picture. */
function segmentsOf(index: PictureIndex, segmentSeconds: number): Uncosted[] {
  const { entries, times, sizeBytes } = index;
  const starts = startsOfChunks(index, { starts: segmentStarts(index, segmentSeconds), segmentSeconds });
  let position = 0;
  return starts.flatMap((picture) => {
    while ((entries[position + 1]?.picture ?? Number.POSITIVE_INFINITY) <= picture) position += 1;
    const here = entries[position];
    if (here === undefined) return [];
    const next = entries[position + 1] ?? { picture: times.length, bytesBefore: sizeBytes };
    const share = (picture - here.picture) / (next.picture - here.picture);
    const bytesBefore = here.bytesBefore + share * (next.bytesBefore - here.bytesBefore);
    return [{ picture, position, bytesBefore }];
  });
}

function canCutBefore({ times, timeBase }: PictureIndex, picture: number): boolean {
  if (picture === 0) return false;
  const gap = (times[picture] ?? 0) - (times[picture - 1] ?? 0);
  return gap >= leastGapTicks && secondsOf(gap, timeBase) >= leastGapSeconds;
}

/** Pictures take time each, and more of it where there is more in them. */
function costBefore({ times, sizeBytes }: PictureIndex, { picture, bytesBefore }: Entry): number {
  const share = picture / times.length;
  return sizeBytes === 0 ? share : (share + bytesBefore / sizeBytes) / 2;
}
