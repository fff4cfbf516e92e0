import { type Figure, quantile } from './figure.ts';

/** Two things that were measured in turn, in the same unit. */
export type Samples = { subject: readonly number[]; baseline: readonly number[] };

const parts = 10;

/** The ratio of the medians of both sides; its quartiles are those of the same ratio over tenths of the samples. */
export function medianRatio(name: string, samples: Samples, goal: number): Figure {
  const ratio = ratioOf(samples);
  const ratios = Array.from({ length: parts }, (_, part) =>
    ratioOf({ subject: tenth(samples.subject, part), baseline: tenth(samples.baseline, part) }),
  );
  return { name, ratio, low: quantile(ratios, 0.25), high: quantile(ratios, 0.75), goal, met: ratio <= goal };
}

function ratioOf({ subject, baseline }: Samples): number {
  return quantile(subject, 0.5) / quantile(baseline, 0.5);
}

function tenth(values: readonly number[], part: number): number[] {
  return values.slice((values.length * part) / parts, (values.length * (part + 1)) / parts);
}
