import * as z from 'zod';

/** Of two whole numbers above 0, by Euclid's algorithm. */
export function greatestCommonDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestCommonDivisor(b, a % b);
}

/** The first index of a list of this length for which `isBefore` does not hold, in a list that begins with those for which it does. */
export function firstNotBefore(length: number, isBefore: (index: number) => boolean): number {
  let [low, high] = [0, length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isBefore(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Schemas of a number, and of an integer, within bounds. */
export const number = (min: number, max: number) => z.number().min(min).max(max);
export const integer = (min: number, max: number) => z.int().min(min).max(max);

/** An integer within bounds. Its error messages say what it must be. */
export const integerBetween = (min: number, max: number) =>
  z
    .int(`must be a whole number from ${min} to ${max}`)
    .min(min, `must be at least ${min}`)
    .max(max, `must be at most ${max}`);

/** JSON with sorted object keys and no white space: equal values give equal texts. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_, nested: unknown) =>
    typeof nested === 'object' && nested !== null && !Array.isArray(nested)
      ? Object.fromEntries(Object.entries(nested).sort(([a], [b]) => (a < b ? -1 : 1)))
      : nested,
  );
}
