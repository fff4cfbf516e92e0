/** Of two whole numbers above 0, by Euclid's algorithm. */
export function greatestCommonDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestCommonDivisor(b, a % b);
}
