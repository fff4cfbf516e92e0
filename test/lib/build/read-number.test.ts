import { expect, it } from 'vitest';
import { readNumber } from '../../../lab/read-number.ts';

it('reads a number above 0', () => {
  expect(readNumber('--minutes', '0.5')).toBe(0.5);
  expect(readNumber('--jobs', '200', { isWhole: true })).toBe(200);
});

it.each(['abc', '', '0', '-1', 'Infinity', '1.5'])('rejects "%s" as a number of jobs', (text) => {
  const message = `--jobs must be a whole number above 0, found ${text}.`;
  expect(() => readNumber('--jobs', text, { isWhole: true })).toThrow(message);
});
