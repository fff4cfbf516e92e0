import { expect, it } from 'vitest';
import { sanitizeText } from '../../../dashboard/format/sanitize-text.ts';
import { formatSizeChange } from '../../../dashboard/format/size-change.ts';
import { formatTimeLeft } from '../../../dashboard/format/time-left.ts';
import { labelFromCode } from '../../../dashboard/format/words.ts';

it.each([
  [100, 38, '−62 %'],
  [100, 104, '+4 %'],
  [1000, 999, '0 %'],
  [0, 5, undefined],
])('from %i to %i bytes is a saving of %s', (input, output, words) => {
  expect(formatSizeChange(input, output)).toBe(words);
});

it('turns codes into words', () => {
  expect(labelFromCode('INPUT_NOT_MEDIA')).toBe('Input not media');
  expect(labelFromCode('extract-audio')).toBe('Extract audio');
});

it.each([
  [-5, 'a few seconds left'],
  [9, 'a few seconds left'],
  [41, 'about 40 s left'],
  [58, 'about 1 min left'],
  [125, 'about 2 min left'],
  [3_599, 'about 1 h left'],
  [4_500, 'about 1 h 15 min left'],
])('%d seconds before its end a job has %s', (seconds, words) => {
  const from = '2026-11-21T12:00:00.000Z';
  expect(formatTimeLeft(from, new Date(Date.parse(from) + seconds * 1000).toISOString())).toBe(words);
});

it.each([
  ['film\u202egpj.exe', 'film\ufffdgpj.exe'],
  ['\u001b[31mred\u0007', '\ufffd[31mred\ufffd'],
  ['two\nlines\tof a log', 'two\nlines\tof a log'],
  ['שלום.mp4 · é · 🎬', 'שלום.mp4 · é · 🎬'],
])('%j is shown as %j', (text, shown) => {
  expect(sanitizeText(text)).toBe(shown);
});
