import type { Cue } from './webvtt.ts';

type Interval = Pick<Cue, 'startSeconds' | 'endSeconds'>;

/**
 * The time ranges in which cues overlap, ascending and disjoint. A renderer places a cue beside those that
 * are already shown and keeps it there: within such a range a frame depends on what was shown before.
 */
export function overlappingCues(cues: readonly Interval[]): Interval[] {
  const stretches: (Interval & { cues: number })[] = [];
  for (const { startSeconds, endSeconds } of cues.toSorted((a, b) => a.startSeconds - b.startSeconds)) {
    const last = stretches.at(-1);
    if (last !== undefined && startSeconds < last.endSeconds) {
      last.endSeconds = Math.max(last.endSeconds, endSeconds);
      last.cues += 1;
    } else stretches.push({ startSeconds, endSeconds, cues: 1 });
  }
  return stretches.filter(({ cues: count }) => count > 1);
}

/** Whether a time is within one of these ranges, which are ascending and disjoint. */
export function isWithin(stretches: readonly Interval[], seconds: number): boolean {
  let [low, high] = [0, stretches.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((stretches[middle]?.endSeconds ?? 0) <= seconds) low = middle + 1;
    else high = middle;
  }
  return (stretches[low]?.startSeconds ?? Number.POSITIVE_INFINITY) < seconds;
}
