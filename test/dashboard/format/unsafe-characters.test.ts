import { expect, it } from 'vitest';
import { markUnsafeCharacters } from '../../../dashboard/format/unsafe-characters.ts';

it.each([
  ['a direction override', 'film\u202egpj.exe', 'film\ufffdgpj.exe'],
  ['direction marks', 'film\u061c\u200e\u200f.mp4', 'film\ufffd\ufffd\ufffd.mp4'],
  ['an escape sequence', '\u001b[31mred\u0007', '\ufffd[31mred\ufffd'],
  ['a tab or a line break', 'two\nlines\tof a log', 'two\nlines\tof a log'],
  ['another script', 'שלום.mp4 · é · 🎬', 'שלום.mp4 · é · 🎬'],
])('a text with %s is shown safely', (_, text, sanitized) => {
  expect(markUnsafeCharacters(text)).toBe(sanitized);
});
