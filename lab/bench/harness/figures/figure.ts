/** A figure: a ratio to a baseline of the same run, with its spread and its goal. */
export type Figure = {
  name: string;
  /** The median over all pairs. */
  ratio: number;
  /** Lower and upper quartile over the pairs. */
  low: number;
  high: number;
  /** The maximal ratio that meets the goal. */
  goal: number;
  met: boolean;
  /** The program that the baseline is, and which of both is the better choice by this figure. */
  peer?: string | undefined;
  verdict?: 'ours' | 'theirs' | undefined;
};

/** How much a run measures. `quick`: less, so that each benchmark has its figure and its spread in under four minutes. */
export type Extent = 'whole' | 'quick';

/** Options of a run. */
export type BenchmarkOptions = {
  extent: Extent;
  /** The path of a video to measure instead of a generated one; for `peers` a directory of videos to measure, too. */
  input?: string;
  /** Installs the programs that a benchmark compares with, as far as they are missing. */
  installs?: boolean;
};

/** A benchmark: its question, its baseline, and its measurement. */
export type Benchmark = {
  name: string;
  question: string;
  /** The denominator of the ratio: a command or a call that anyone can repeat. */
  baseline: string;
  /** Measures and returns the figures; `print` prints progress. */
  run(print: (line: string) => void, requested: BenchmarkOptions): Promise<Figure[]>;
};

/** Summarises the ratios of pairs. */
export function figure(name: string, ratios: readonly number[], goal: number): Figure {
  const ratio = quantile(ratios, 0.5);
  return { name, ratio, low: quantile(ratios, 0.25), high: quantile(ratios, 0.75), goal, met: ratio <= goal };
}

/** The geometric mean of positive values: too much by a factor counts as much as too little. */
export function geometricMean(values: readonly number[]): number {
  return Math.exp(values.reduce((sum, value) => sum + Math.log(value), 0) / values.length);
}

/** The quantile `q` (0 to 1) of the values, interpolated between neighbours. */
export function quantile(values: readonly number[], q: number): number {
  if (values.length === 0) throw new Error('A quantile needs at least one value, found no values');
  const sorted = values.toSorted((a, b) => a - b);
  const position = (sorted.length - 1) * q;
  const below = sorted[Math.floor(position)] ?? Number.NaN;
  const above = sorted[Math.ceil(position)] ?? Number.NaN;
  return below + (above - below) * (position - Math.floor(position));
}
