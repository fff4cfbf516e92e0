import { expect, it } from 'vitest';
import { ratioAtEqualScore } from '../../../bench/harness/peers/rate-curve.ts';
import { peerFigure } from '../../../bench/harness/peers/row.ts';

const curve = (bytes: readonly number[], scores: readonly number[]) =>
  bytes.map((size, index) => ({ bytes: size, score: scores[index] ?? 0, processorSeconds: size / 10 }));

it('curves are compared at the scores that both reach', () => {
  const theirs = curve([100, 200, 400], [80, 85, 90]);
  expect(ratioAtEqualScore(theirs, theirs)).toBeCloseTo(1);
  expect(
    ratioAtEqualScore(
      curve(
        [400, 200, 100].map((size) => size * 0.9),
        [90, 85, 80],
      ),
      theirs,
    ),
  ).toBeCloseTo(0.9);
  // A point higher by 5 for the same bytes is worth half of them.
  expect(ratioAtEqualScore(curve([100, 200, 400], [85, 90, 95]), theirs)).toBeCloseTo(0.5);
  expect(ratioAtEqualScore(curve([50, 100, 200], [80, 85, 90]), theirs, 'processorSeconds')).toBeCloseTo(0.5);
});

it('curves without a common score have no ratio', () => {
  expect(ratioAtEqualScore(curve([1, 2], [10, 20]), curve([1, 2], [30, 40]))).toBeUndefined();
});

it.each([
  [0.97, 'ours', false],
  [0.9, 'ours', true],
  [1.02, 'theirs', false],
] as const)('a ratio of %d is for %s, whatever the goal', (ratio, verdict, met) => {
  expect(peerFigure('x', 'a', [ratio], 0.95)).toMatchObject({ name: 'peers/a', peer: 'x', verdict, met });
});
