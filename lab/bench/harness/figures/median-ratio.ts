import { type Figure, quantile } from './figure.ts';

/** Samples of both sides, measured alternately, in the same unit. */
export type Samples = { subject: readonly number[]; baseline: readonly number[] };

const tenths = 10;

/** The ratio of the medians of both sides; the quartiles are those of the ratio in each tenth of the samples. */
export function medianRatio(name: string, samples: Samples, goal: number): Figure {
  const ratio = ratioOf(samples);
  const ratios = Array.from({ length: tenths }, (_, index) =>
    ratioOf({ subject: tenth(samples.subject, index), baseline: tenth(samples.baseline, index) }),
  );
  return { name, ratio, low: quantile(ratios, 0.25), high: quantile(ratios, 0.75), goal, met: ratio <= goal };
}

function ratioOf({ subject, baseline }: Samples): number {
  return quantile(subject, 0.5) / quantile(baseline, 0.5);
}

function tenth(values: readonly number[], index: number): number[] {
  return values.slice((values.length * index) / tenths, (values.length * (index + 1)) / tenths);
}
