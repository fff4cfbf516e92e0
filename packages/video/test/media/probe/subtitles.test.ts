import { expect, it } from 'vitest';
import { isInLanguageRange, readCueEndSeconds, rejectUnreadableText } from '../../../src/media/probe/subtitles.ts';

it.each([
  ['00:00:00,200 --> 00:00:01,050', 1.05],
  ['01:02:03,000 --> 101:02:04,500', 363_724.5],
  ['00:01.200 --> 00:01.900', 1.9],
  ['59:59.000 --> 01:00:00.000 line:0 align:start', 3600],
])('the end of the cue %j is read', (line, seconds) => expect(readCueEndSeconds(line)).toBeCloseTo(seconds, 6));

it.each(['', '1', 'WEBVTT', 'Two --> three', '00:00:00,200 -> 00:00:01,050', ' 00:01.200 --> 00:01.900'])(
  '%j is not a cue',
  (line) => expect(readCueEndSeconds(line)).toBeUndefined(),
);

it.each([
  ['deu', 'de', true],
  ['ger', 'de', true],
  ['ger', 'deu', true],
  ['fre', 'fra', true],
  ['chi', 'zh', true],
  ['cze', 'ces', true],
  ['eng', 'en', true],
  ['qaa', 'qaa', true],
  ['eng', 'de', false],
  ['gsw', 'deu', false],
  ['pt-BR', 'pt', true],
  ['pt', 'pt-BR', false],
  ['zh-Hant-TW', 'zh-Hant', true],
  ['zh-Hant', 'zh-Hans', false],
  ['zh-Hant', 'zho', true],
])('%s is in the language range %s: %s', (left, right, expected) => {
  expect(isInLanguageRange(left, right)).toBe(expected);
});

it.each([
  ['', true],
  ['1\n00:00:00,000 --> 00:00:02,000\n\n\n', true],
  ['1\n00:00:00,000 --> 00:00:02,000\n\n\n2\n00:00:02,000 --> 00:00:03,000\n \n\n', true],
  ['1\n00:00:00,000 --> 00:00:02,000\n\n\n2\n00:00:02,000 --> 00:00:03,000\n7\n\n', false],
  ['1\n00:00:00,000 --> 00:00:02,000\n\nbelow\n\n', false],
])('an SRT file %j has no text: %s', (srt, isEmpty) => {
  const read = () => rejectUnreadableText('', 'subtitles', srt);
  if (isEmpty) expect(read).toThrow('subtitles: The file has no text');
  else expect(read).not.toThrow();
});
