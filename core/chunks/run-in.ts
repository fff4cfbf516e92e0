import { keepsOneClock } from '../media/clocks.ts';
import type { Chunk } from './chunk.ts';
import { type Entry, type PictureIndex, shownAt } from './picture-index.ts';
import { secondsOf } from './ticks.ts';

// More than the order of pictures in the file differs from that on the screen.
const reorderSeconds = 1;

/**
 * Reading begins two keyframes before the first one that is kept. Not every keyframe is whole: in H.264 a picture may
 * be built up over all those that follow one, and a little longer. In containers that know their keyframes a seek finds
 * the one before by itself; in others it may land behind one.
 */
export function readFrom(
  index: PictureIndex,
  { position }: { position: number },
  container: string,
): Pick<Chunk, 'readFromSeconds'> {
  const back = (count: number) => index.entries[position - count] ?? { picture: 0 };
  const from = keepsOneClock(container)
    ? halfGapBefore(index, back(1))
    : shownAt(index, back(2).picture) - reorderSeconds;
  return from > 0 ? { readFromSeconds: from } : {};
}

/** The second half way between a picture and the one before. */
export function halfGapBefore(
  { times, timeBase }: PictureIndex,
  { picture }: Pick<Entry, 'picture'>,
): number {
  if (picture === 0) return 0;
  return secondsOf(((times[picture - 1] ?? 0) + (times[picture] ?? 0)) / 2, timeBase);
}
