/** Random numbers that a seed reproduces. */
export type Random = {
  /** From 0 to below 1. */
  next(): number;
  /** A whole number from `min` to `max`, both inclusive. */
  between(min: number, max: number): number;
  chance(probability: number): boolean;
  pick<T>(choices: readonly [T, ...T[]]): T;
};

/** The generator mulberry32: fast, with 32 bits of state. */
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
    between: (min, max) => min + Math.floor(next() * (max - min + 1)),
    chance: (probability) => next() < probability,
    pick: ([first, ...rest]) => [first, ...rest][Math.floor(next() * (rest.length + 1))] ?? first,
  };
}
