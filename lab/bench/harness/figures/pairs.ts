/** One side of a comparison: runs once and returns its time. */
export type Side = () => Promise<number>;

/**
 * Measures both sides alternately, so that other load affects both, and returns each pair's ratio of subject to
 * baseline. The order changes with every pair; the first pair is a warm-up and is left out.
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
