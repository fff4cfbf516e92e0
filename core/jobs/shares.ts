/** Three quarters of the workers, rounded down: the share of one owner, or of all long jobs. The rest is for others. */
export function threeQuarters(workers: number): number {
  return Math.floor((workers * 3) / 4);
}

/** The share of a group, numbered from 0, of `max` slots or permits. The shares of all groups add up to `max`. */
export function partOfLimit(max: number, group: number, groups: number): number {
  return Math.floor(max / groups) + (group < max % groups ? 1 : 0);
}
