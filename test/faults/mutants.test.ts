import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { allMutants } from './mutate/all-mutants.ts';
import { applyEdit } from './mutate/mutant.ts';

const root = join(import.meta.dirname, '../..');

it.each(allMutants)('a mutant still applies to the sources: $name', ({ edits }) => {
  for (const edit of edits) {
    const text = readFileSync(join(root, edit.file), 'utf8');
    expect(applyEdit(text, edit)).not.toBe(text);
  }
});

it('every mutant has a unique name', () => {
  const names = allMutants.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
});
