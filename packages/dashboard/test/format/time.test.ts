import { expect, it } from 'vitest';
import { formatTimeLeft } from '../../src/format/time.ts';

it.each([
  [-5, 'a few seconds left'],
  [9, 'a few seconds left'],
  [41, 'about 40 s left'],
  [58, 'about 1 min left'],
  [125, 'about 2 min left'],
  [3_599, 'about 1 h left'],
  [4_500, 'about 1 h 15 min left'],
])('%d seconds before its end a job has %s', (seconds, label) => {
  const from = '2026-11-21T12:00:00.000Z';
  expect(formatTimeLeft(from, new Date(Date.parse(from) + seconds * 1000).toISOString())).toBe(label);
});
