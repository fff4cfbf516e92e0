import { describe, expect, it } from 'vitest';
import { figure, quantile } from '../../../bench/harness/figures/figure.ts';
import { medianRatio } from '../../../bench/harness/figures/median-ratio.ts';
import { pairedRatios } from '../../../bench/harness/figures/pairs.ts';
import { benchmarks } from '../../../bench/registry.ts';

const upTo = (count: number, of = (n: number) => n) => Array.from({ length: count }, (_, n) => of(n + 1));

describe('a quantile', () => {
  it.each([
    [[3, 1, 2], 0.5, 2],
    [[1, 2, 3, 4], 0.5, 2.5],
    [upTo(101), 0.99, 100],
    [[7], 0.25, 7],
  ])('of %j at %f is %f', (values, q, expected) => expect(quantile(values, q)).toBeCloseTo(expected));

  it('of nothing is an error', () => expect(() => quantile([], 0.5)).toThrow('no values'));
});

describe('a figure', () => {
  it('is met by the goal itself, and by nothing above it', () => {
    expect(figure('a', [1.1, 1.2, 1.3], 1.2)).toMatchObject({ ratio: 1.2, low: 1.15, high: 1.25, met: true });
    expect(figure('a', [1.1, 1.21, 1.3], 1.2)).toMatchObject({ ratio: 1.21, met: false });
  });

  it('of medians is the ratio of the medians, whatever the outliers are', () => {
    const samples = { subject: upTo(100, (n) => (n % 10 === 0 ? 1_000 : 3)), baseline: upTo(100, () => 2) };
    expect(medianRatio('a', samples, 1.4)).toEqual({
      name: 'a',
      ratio: 1.5,
      low: 1.5,
      high: 1.5,
      goal: 1.4,
      met: false,
    });
  });
});

it('a comparison measures both sides in turn, each first as often as the other, and leaves out the first pair', async () => {
  const order: string[] = [];
  const side = (name: string, took: number) => async () => {
    order.push(name);
    return took;
  };
  const ratios = await pairedRatios({ subject: side('s', 3), baseline: side('b', 2) }, { pairs: 3 });
  expect(ratios).toEqual([1.5, 1.5, 1.5]);
  expect(order.join('')).toBe('sbbssbbs');
});

it('the registry has each benchmark once, with a question and a baseline', () => {
  const names = benchmarks.map(({ name }) => name);
  expect(names).toEqual([...new Set(names)]);
  for (const { question, baseline } of benchmarks) {
    expect(question).toMatch(/\?$/);
    expect(baseline).not.toBe('');
  }
});
