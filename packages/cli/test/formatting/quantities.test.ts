import { describe, expect, it } from 'vitest';
import {
  formatAge,
  formatBytes,
  formatDollars,
  formatDollarsInColumn,
  formatDuration,
} from '../../src/formatting/quantities.ts';

it.each([
  [0, '0 B'],
  [999, '999 B'],
  [999.6, '1.0 kB'],
  [12_400, '12.4 kB'],
  [999_500, '1.0 MB'],
  [760_000_000, '760 MB'],
  [5e15, '5000 TB'],
])('%i bytes are formatted as %s', (bytes, text) => expect(formatBytes(bytes)).toBe(text));

it.each([
  [0.34, '0.3 s'],
  [9.96, '10 s'],
  [59.4, '59 s'],
  [59.6, '1 min'],
  [59.96, '1 min'],
  [185, '3 min 5 s'],
  [3_599.6, '1 h'],
  [7_199, '2 h'],
  [7_800, '2 h 10 min'],
  [4_320_600, '1,200 h 10 min'],
])('%d seconds are formatted as %s', (seconds, text) => expect(formatDuration(seconds)).toBe(text));

it.each([
  [0, '$0', '$0'],
  [1.2e-7, '$0.00000012', '<$0.0001'],
  [0.000061, '$0.000061', '<$0.0001'],
  [0.00092, '$0.00092', '$0.0009'],
  [0.06, '$0.06', '$0.0600'],
  [0.0994, '$0.099', '$0.0994'],
  [0.0996, '$0.10', '$0.0996'],
  [0.12345, '$0.12', '$0.1235'],
  [0.6, '$0.60', '$0.6000'],
  [0.996, '$1.00', '$0.9960'],
  [0.99996, '$1.00', '$1.00'],
  [12.345, '$12.35', '$12.35'],
  [1_234.5, '$1,234.50', '$1,234.50'],
])('%d dollars are formatted as %s, and in a column as %s', (dollars, alone, inColumn) => {
  expect(formatDollars(dollars)).toBe(alone);
  expect(formatDollarsInColumn(dollars)).toBe(inColumn);
});

describe('an age', () => {
  const now = Date.parse('2026-11-21T12:00:00.000Z');
  it.each([
    ['2026-11-21T11:59:30.000Z', 'now'],
    ['2026-11-21T11:55:00.000Z', '5 min'],
    ['2026-11-21T09:00:00.000Z', '3 h'],
    ['2026-11-09T00:00:00.000Z', '12 d'],
    ['2026-11-21T12:00:09.000Z', 'now'],
  ])('since %s is formatted as %s', (instant, text) => expect(formatAge(instant, now)).toBe(text));
});
