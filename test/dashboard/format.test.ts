import { describe, expect, it } from 'vitest';
import { formatAge } from '../../dashboard/format/age.ts';
import { formatBytes } from '../../dashboard/format/bytes.ts';
import { formatDuration } from '../../dashboard/format/duration.ts';
import { inputName } from '../../dashboard/format/input-name.ts';
import { formatRemaining } from '../../dashboard/format/remaining.ts';
import { formatSaving } from '../../dashboard/format/saving.ts';
import { visibleText } from '../../dashboard/format/visible-text.ts';
import { asWords } from '../../dashboard/format/words.ts';

it.each([
  [0, '0 B'],
  [999, '999 B'],
  [999.6, '1.0 kB'],
  [12_400, '12.4 kB'],
  [999_500, '1.0 MB'],
  [760_000_000, '760 MB'],
  [5e15, '5000 TB'],
])('%i bytes are %s', (bytes, words) => {
  expect(formatBytes(bytes)).toBe(words);
});

it.each([
  [0.34, '0.3 s'],
  [9.96, '10 s'],
  [59.96, '1 min'],
  [185, '3 min 5 s'],
  [7_800, '2 h 10 min'],
])('%d seconds are %s', (seconds, words) => {
  expect(formatDuration(seconds)).toBe(words);
});

it.each([
  [100, 38, '−62 %'],
  [100, 104, '+4 %'],
  [1000, 999, '0 %'],
  [0, 5, undefined],
])('from %i to %i bytes is a saving of %s', (input, output, words) => {
  expect(formatSaving(input, output)).toBe(words);
});

describe('an age', () => {
  const now = Date.parse('2026-11-21T12:00:00.000Z');
  it.each([
    ['2026-11-21T11:59:30.000Z', 'now'],
    ['2026-11-21T11:55:00.000Z', '5 min'],
    ['2026-11-21T09:00:00.000Z', '3 h'],
    ['2026-11-09T00:00:00.000Z', '12 d'],
    ['2026-11-21T12:00:09.000Z', 'now'],
  ])('since %s is %s', (instant, words) => {
    expect(formatAge(instant, now)).toBe(words);
  });
});

it.each([
  ['https://media.example/films/a%20film.mp4?token=secret', 'a film.mp4'],
  ['upload://0199c39e-77aa-7d10-b1c4-5f2e8a90d3b6/holiday.mov', 'holiday.mov'],
  ['https://media.example/', 'media.example'],
  ['https://media.example/%E0%A4%A', '%E0%A4%A'],
  ['not a url', 'not a url'],
])('the input %s is called %s', (url, name) => {
  expect(inputName(url)).toBe(name);
});

it('turns codes into words', () => {
  expect(asWords('INPUT_NOT_MEDIA')).toBe('Input not media');
  expect(asWords('extract-audio')).toBe('Extract audio');
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
  expect(formatRemaining(from, new Date(Date.parse(from) + seconds * 1000).toISOString())).toBe(words);
});

it.each([
  ['film\u202egpj.exe', 'film\ufffdgpj.exe'],
  ['\u001b[31mred\u0007', '\ufffd[31mred\ufffd'],
  ['two\nlines\tof a log', 'two\nlines\tof a log'],
  ['שלום.mp4 · é · 🎬', 'שלום.mp4 · é · 🎬'],
])('%j is shown as %j', (text, shown) => {
  expect(visibleText(text)).toBe(shown);
});
