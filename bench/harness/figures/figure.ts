/** One measured figure: a ratio to a baseline of the same run, with its spread, against its goal. */
export type Figure = {
  name: string;
  /** The median over all pairs. */
  ratio: number;
  /** Lower and upper quartile over the pairs. */
  low: number;
  high: number;
  /** The largest ratio that is good enough. */
  goal: number;
  met: boolean;
};

/** What whoever runs a benchmark may ask of it. */
export type BenchmarkOptions = {
  /** The path of a video to measure with, in the place of one that is made. */
  input?: string;
};

/** A benchmark: what it asks, what it compares with, and its measuring. */
export type Benchmark = {
  name: string;
  question: string;
  /** What the ratio's denominator is: a command or a call that anyone can repeat. */
  baseline: string;
  /** Measures and returns its figures; `say` reports what is being done. */
  run(say: (line: string) => void, asked: BenchmarkOptions): Promise<Figure[]>;
};

/** Summarises the ratios of pairs that were measured one after the other. */
export function figure(name: string, ratios: readonly number[], goal: number): Figure {
  const ratio = quantile(ratios, 0.5);
  return { name, ratio, low: quantile(ratios, 0.25), high: quantile(ratios, 0.75), goal, met: ratio <= goal };
}

/** The value below which the share `q` (0 to 1) of the values lies, interpolated between neighbours. */
export function quantile(values: readonly number[], q: number): number {
  if (values.length === 0) throw new Error('There is no quantile of no values');
  const sorted = values.toSorted((a, b) => a - b);
  const place = (sorted.length - 1) * q;
  const below = sorted[Math.floor(place)] ?? Number.NaN;
  const above = sorted[Math.ceil(place)] ?? Number.NaN;
  return below + (above - below) * (place - Math.floor(place));
}
