import { expect, it } from 'vitest';
import { type Name, namesIn, wordsOf } from './names.ts';
import { exceptions, oldWords } from './old-words.ts';
import { sourceFiles } from './source-files.ts';

const folders = [
  'core',
  'adapters',
  'functions',
  'lib',
  'local',
  'cli',
  'client',
  'dashboard',
  'formatting',
  'bench',
  'scripts',
  'demo',
  'conformance',
  'test',
];

it.each(folders)('%s has no name with an old word in it', (folder) => {
  const found = sourceFiles([folder]).flatMap(namesIn).flatMap(complaints);
  expect([...new Set(found)]).toEqual([]);
});

it('an old word is found in every spelling, and in no other word', () => {
  expect(['carryOut', 'carry-out', 'CARRY_OUT', 'carryOuter', 'carry'].filter(hasOldWord)).toEqual([
    'carryOut',
    'carry-out',
    'CARRY_OUT',
  ]);
});

function complaints(name: Name): string[] {
  if (
    exceptions.some(
      ({ name: allowed, within }) => allowed.test(name.text) && name.path.startsWith(within ?? ''),
    )
  )
    return [];
  const place = name.line === undefined ? name.path : `${name.path}:${name.line}`;
  return oldWordsIn(name.text).map((old) => `${place} ${name.text}: not "${old}" but ${oldWords[old]}`);
}

function hasOldWord(name: string): boolean {
  return oldWordsIn(name).length > 0;
}

function oldWordsIn(name: string): string[] {
  const words = ` ${wordsOf(name).join(' ')} `;
  return Object.keys(oldWords).filter((old) => words.includes(` ${old} `));
}
