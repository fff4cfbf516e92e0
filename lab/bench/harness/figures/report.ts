import type { Benchmark, Figure } from './figure.ts';
import { isIdle } from './machine-load.ts';

/** The introduction that is printed before a benchmark runs. */
export function introduction({ name, question, baseline }: Benchmark): string {
  return `${name}: ${question}\n  baseline: ${baseline}`;
}

/** A figure as a sentence: the ratio, its spread, its goal, and whether it was met. */
export function sentence({ name, ratio, low, high, goal, met }: Figure): string {
  const verdict = met ? 'met' : 'MISSED';
  return `  ${name}: ${tidy(ratio)} (quartiles ${tidy(low)} to ${tidy(high)}), goal at most ${goal}: ${verdict}`;
}

/** A warning if other work keeps the machine busy: ratios still hold, their spread grows. */
export function loadWarning(busyShare: number): string | undefined {
  if (isIdle(busyShare)) return undefined;
  return `  Other work keeps ${(100 * busyShare).toFixed(0)} % of the processors busy: expect a wider spread.`;
}

function tidy(value: number): string {
  return value.toFixed(3);
}
