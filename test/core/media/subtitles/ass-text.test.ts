import { expect, it } from 'vitest';
import { plainSrt, removeDrawings } from '../../../../core/media/subtitles/ass-text.ts';

it.each([
  ['m 0 0 l 100 0 100 -20.5 b 1 2 3 4 5 6', ''],
  ['m 0 0 l 100 0 20 20Exit', 'Exit'],
  ['<b>m 0 0 b 1 2 3 4 5 6</b> Exit', '<b></b> Exit'],
  ["I'm 5 6 l 7 8", "I'm 5 6 l 7 8"],
  ['from m 5 6 to 7', 'from m 5 6 to 7'],
])('of "%s" only the text stays', (text, rest) => {
  expect(removeDrawings(text)).toBe(rest);
});

it.each([
  ['moves', 'm 1 1 ', 1_600_000],
  ['lines', 'm 1 1 l 1 1 l ', 700_000],
  ['spaces', 'm          ', 900_000],
  ['line breaks', '\n', 10_000_000],
  ['digits', '1', 10_000_000],
  ['numbers', '1\n', 5_000_000],
  ['braces', '{', 10_000_000],
  ['open comments', '{a ', 3_000_000],
])('a file of 10 MB of %s takes little time', (_, text, count) => {
  const startedAt = performance.now();
  plainSrt(`1\n00:00:00,000 --> 00:00:01,000\n${text.repeat(count)}`);
  expect(performance.now() - startedAt).toBeLessThan(5000);
});
