import { expect, it } from 'vitest';
import { isSameLanguage } from '../../../../core/media/probe/languages.ts';

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
])('knows whether %s and %s are one language: %s', (left, right, expected) => {
  expect(isSameLanguage(left, right)).toBe(expected);
});
