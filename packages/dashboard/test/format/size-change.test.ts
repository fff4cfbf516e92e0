import { expect, it } from 'vitest';
import { formatSizeChange } from '../../src/job/job-labels.ts';

it.each([
  [100, 38, '−62%'],
  [100, 104, '+4%'],
  [1000, 999, '0%'],
  [0, 5, undefined],
])('a change from %i to %i bytes is %s', (input, output, label) => {
  expect(formatSizeChange(input, output)).toBe(label);
});
