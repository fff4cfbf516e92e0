import { timeOverExcerpts } from '@media-jobs/testing/hostile-text';
import { expect, it } from 'vitest';
import { plainSrt, removeDrawings } from '../../../src/media/subtitles/ass-text.ts';

it.each([
  ['m 0 0 l 100 0 100 -20.5 b 1 2 3 4 5 6', ''],
  ['m 0 0 l 100 0 20 20Exit', 'Exit'],
  ['<b>m 0 0 b 1 2 3 4 5 6</b> Exit', '<b></b> Exit'],
  ["I'm 5 6 l 7 8", "I'm 5 6 l 7 8"],
  ['from m 5 6 to 7', 'from m 5 6 to 7'],
])('of "%s" only the text stays', (text, rest) => expect(removeDrawings(text)).toBe(rest));

it.each([
  ['moves', 'm 1 1 '],
  ['lines', 'm 1 1 l 1 1 l '],
  ['spaces', 'm          '],
  ['line breaks', '\n'],
  ['digits', '1'],
  ['numbers', '1\n'],
  ['braces', '{'],
  ['open comments', '{a '],
])('a long file of %s takes as long as in 32 excerpts', (_, repeated) => {
  const options = { first: '1\n00:00:00,000 --> 00:00:01,000\n', repeated, length: 500_000 };
  expect(timeOverExcerpts(plainSrt, options)).toBeLessThan(8);
});
