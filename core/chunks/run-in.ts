import type { Chunk } from './chunk.ts';
import { keepsOneClock } from './clocks.ts';
import { type Entry, type PictureIndex, shownAt } from './picture-index.ts';
import { secondsOf } from './ticks.ts';

// More than the order of pictures in the file differs from that on the screen.
const reorderSeconds = 1;
const wholeFactor = 3;

/**
 * Reading begins at a keyframe before the first one that is kept. A keyframe that is not whole, from which the picture
 * is built up over all those that follow it, takes one more. In containers that know their keyframes a seek finds the
 * one before by itself.
 */
export function readFrom(
  index: PictureIndex,
  here: Entry & { position: number },
  container: string,
): Pick<Chunk, 'readFromSeconds'> {
  const runIn = isWhole(index, here) ? 1 : 2;
  const back = (count: number) => index.entries[here.position - count] ?? { picture: 0 };
  const from = keepsOneClock(container)
    ? halfGapBefore(index, back(runIn - 1))
    : shownAt(index, back(runIn).picture) - reorderSeconds;
  return from > 0 ? { readFromSeconds: from } : {};
}

/** A picture that needs no other is far larger than those that do; where nothing tells, it is taken to need some. */
function isWhole({ usualBytes }: PictureIndex, { sizeBytes }: Entry): boolean {
  return sizeBytes > wholeFactor * usualBytes;
}

/** The second half way between a picture and the one before. */
export function halfGapBefore(
  { times, timeBase }: PictureIndex,
  { picture }: Pick<Entry, 'picture'>,
): number {
  if (picture === 0) return 0;
  return secondsOf(((times[picture - 1] ?? 0) + (times[picture] ?? 0)) / 2, timeBase);
}
