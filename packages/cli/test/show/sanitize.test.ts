import { expect, it } from 'vitest';
import { columns, formatJson, redactSecrets, sanitizeLine, sanitizeText } from '../../src/show/sanitize.ts';

it.each([
  ['film.mp4', 'film.mp4'],
  ['\u001b[31mred\u001b[0m', 'red'],
  ['\u009b2Jcleared', 'cleared'],
  ['\u001b]0;title\u0007named', 'named'],
  ['\u001b]8;;https://evil.example\u001b\\link\u001b]8;;\u001b\\', 'link'],
  ['back\b\b\b\bspaced', 'backspaced'],
  ['film\u202e4pm.exe', 'film4pm.exe'],
  ['film\u061c\u200e\u200f.mp4', 'film.mp4'],
  ['two\r\nlines\tand more', 'two lines and more'],
  ['Übergrößenträger 映画', 'Übergrößenträger 映画'],
])('sanitizeLine turns %j into %j', (hostile, plain) => expect(sanitizeLine(hostile)).toBe(plain));

it('a cell of columns stays one line, and keeps its indent', () => {
  expect(
    columns([
      ['a\u001b[2J\nJOB  completed', '1'],
      ['  b', '2'],
    ]),
  ).toBe(`a JOB completed  1\n${'  b'.padEnd(17)}2`);
});

it('sanitizeText keeps line breaks and turns carriage returns into line breaks', () => {
  expect(sanitizeText('frame=1\rframe=2\r\n\u001b[1m[error]\u001b[0m\tno\n')).toBe('frame=1\nframe=2\n[error]  no\n');
});

it('formatJson escapes terminal control characters without loss', () => {
  const hostile = { name: 'a\u001b[31m\u009b2J\u202eb\u007f\nc' };
  const text = formatJson(hostile);
  expect(JSON.parse(text)).toEqual(hostile);
  expect(text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\u202e]/u);
});

it.each([
  ['GET https://s3.example/a.mp4?X-Amz-Signature=5d1f: 403', 'GET https://s3.example/a.mp4?… 403'],
  ['https://ada:secret@media.example/a', 'https://media.example/a'],
  ['the key nte_secret is', 'the key … is'],
  ['is it 1 or 2?', 'is it 1 or 2?'],
])('redactSecrets turns %j into %j', (text, redacted) => {
  expect(redactSecrets(text, ['nte_secret', ''])).toBe(redacted);
});
