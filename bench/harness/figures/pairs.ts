/** One side of a comparison: does the work once and returns what it took. */
export type Side = () => Promise<number>;

/**
 * Measures both sides alternately, so that what else the machine does falls on both, and returns each pair's ratio of
 * subject to baseline. Each pair begins with the other side than the one before; the first pair warms up and is left out.
 */
export async function pairedRatios(
  { subject, baseline }: { subject: Side; baseline: Side },
  { pairs, onPair }: { pairs: number; onPair?: (pair: number, ratio: number) => void },
): Promise<number[]> {
  const ratios: number[] = [];
  for (let pair = 0; pair <= pairs; pair++) {
    const first = pair % 2 === 0 ? await subject() : await baseline();
    const second = pair % 2 === 0 ? await baseline() : await subject();
    const ratio = pair % 2 === 0 ? first / second : second / first;
    if (pair === 0) continue;
    ratios.push(ratio);
    onPair?.(pair, ratio);
  }
  return ratios;
}
