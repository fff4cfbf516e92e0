import { expect, it } from 'vitest';
import { fitWidth, forTerminal } from '../../src/show/terminal-text.ts';

it.each([
  ['a short line', 'State  completed', 20, 'State  completed'],
  ['the last cell, below itself', '--crf  Lower looks better than', 20, '--crf  Lower looks\n       better than'],
  [
    'a last cell that begins too far right',
    '--preset  a|b|c|d|e|f  Encoding effort',
    24,
    '--preset  a|b|c|d|e|f\n    Encoding effort',
  ],
  ['a sentence', 'Adaptive streaming for all', 20, 'Adaptive streaming\nfor all'],
  [
    'a word that is longer than the line',
    'See https://example.com/a/long/path now',
    12,
    'See\nhttps://example.com/a/long/path\nnow',
  ],
  [
    'a command line, which stays whole',
    'media-jobs submit a.mp4 \\\n  --metadata a="b c d e f g h"',
    20,
    'media-jobs submit a.mp4 \\\n  --metadata a="b c d e f g h"',
  ],
  [
    'a command line in a sentence, which stays whole too',
    'To follow it: media-jobs watch 1',
    20,
    'To follow it: media-jobs watch 1',
  ],
  ['a value without room behind its name', 'Changed  2026-03-01T12:00', 20, 'Changed\n    2026-03-01T12:00'],
])('%s fits the width of a terminal', (_, text, width, expected) => expect(fitWidth(text, width)).toBe(expected));

it('states and headings have colors, and words in sentences do not', () => {
  const text = 'JOB ID  STATE\n1  failed  The job failed\nState  completed, 100 %';
  const colors = forTerminal(text, { columns: 80, hasColors: true, programName: 'media-jobs' });
  const [bold, red, green] = ['\u001b[1m', '\u001b[31m', '\u001b[32m'];
  expect(colors.replaceAll('\u001b[22m', '').replaceAll('\u001b[39m', '')).toBe(
    `${bold}JOB ID  STATE\n1  ${red}failed  The job failed\nState  ${green}completed, 100 %`,
  );
  expect(forTerminal(text, { columns: 80, hasColors: false, programName: 'media-jobs' })).toBe(text);
});

it('a table that is too wide has its rows below each other, each value with its title', () => {
  const table =
    'JOB    STATE   AGE    INPUT\njob-1  failed  1 min  a.mp4\njob-2          2 min  holiday in the snow.mp4';
  expect(fitWidth(`${table}\n\nTwo jobs`, 40)).toBe(
    [
      'job-1  state: failed  age: 1 min',
      '    input: a.mp4',
      'job-2  age: 2 min',
      '    input: holiday in the snow.mp4',
      '',
      'Two jobs',
    ].join('\n'),
  );
  expect(fitWidth(table, 80)).toBe(table);
});
