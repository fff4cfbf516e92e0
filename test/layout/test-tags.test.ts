import { globSync, readFileSync } from 'node:fs';
import { subjects, subjectsIn } from '@media-jobs/testing/test-tags';
import { expect, it } from 'vitest';
import { root } from '../../lib/build/paths.ts';

const judging = ['test/{browser,chunking,hostile,journeys,recipes}', 'packages/video/test/encoded'];

it('each test of encoded files and of whole stages says what it judges', () => {
  const tests = judging.flatMap((folder) => globSync(`${folder}/*.test.ts`, { cwd: root }));
  expect(tests.length).toBeGreaterThan(100);
  expect(tests.filter((file) => subjectsIn(readFileSync(file, 'utf8')).length === 0)).toEqual([]);
});

it.each(Object.entries(subjects))('the words of the subject %s are in paths of the source', (_, { sources }) => {
  const files = ['{adapters,core,functions}/**/*.ts', 'packages/*/src/**/*.ts', '{,packages/}dashboard/**/*.tsx'];
  const paths = globSync(files, { cwd: root }).map((file) => file.replace(/^packages\//, '').replace('/src/', '/'));
  const words = sources.source.split(/\|(?![^(]*\))/);
  expect(words.filter((word) => !paths.some((path) => new RegExp(word).test(path)))).toEqual([]);
});
