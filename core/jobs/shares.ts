/** Three quarters of the workers, rounded down: the share of one owner, or of all long jobs. The rest is for others. */
export function threeQuarters(workers: number): number {
  return Math.floor((workers * 3) / 4);
}

/** Divides a limit into `count` parts that add up to `max`, and returns the one with this number, from 0. */
export function partOfLimit(max: number, part: number, count: number): number {
  return Math.floor(max / count) + (part < max % count ? 1 : 0);
}
