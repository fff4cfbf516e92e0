import { expect, it } from 'vitest';
import { replaceUnsafeCharacters } from '../../src/formatting/unsafe-characters.ts';

it.each([
  ['a direction override', 'film\u202egpj.exe', 'film\ufffdgpj.exe'],
  ['isolates and embeddings', 'a\u2066b\u2069\u202bc\u202c', 'a\ufffdb\ufffd\ufffdc\ufffd'],
  ['direction marks', '\u200fסרט\u200f (סופי)\u200e\u061c.mp4', 'סרט (סופי).mp4'],
  ['an escape sequence', '\u001b[31mred\u0007', '\ufffd[31mred\ufffd'],
  ['a tab or a line break', 'two\nlines\tof a log', 'two\nlines\tof a log'],
  ['another script', 'שלום.mp4 · é · 🎬', 'שלום.mp4 · é · 🎬'],
])('a text with %s is shown safely', (_, text, sanitized) => expect(replaceUnsafeCharacters(text)).toBe(sanitized));

it('unsafe characters can be replaced by another text', () => {
  expect(replaceUnsafeCharacters('a\u202eb\u200f\u0007c', '')).toBe('abc');
});
