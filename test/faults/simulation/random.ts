/** Chance that a seed repeats. */
export type Random = {
  /** From 0 to below 1. */
  next(): number;
  /** A whole number from `least` to `most`, both inclusive. */
  between(least: number, most: number): number;
  chance(probability: number): boolean;
  pick<T>(choices: readonly [T, ...T[]]): T;
};

/** The generator mulberry32: 32 bits of state, good enough to explore with, and fast. */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  return {
    next,
    between: (least, most) => least + Math.floor(next() * (most - least + 1)),
    chance: (probability) => next() < probability,
    pick: ([first, ...rest]) => [first, ...rest][Math.floor(next() * (rest.length + 1))] ?? first,
  };
}
