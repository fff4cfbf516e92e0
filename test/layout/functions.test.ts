import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { contracts } from '../../core/api/registry.ts';
import { entries, fallback, workers } from '../../lib/build/entries.ts';

const folders = readdirSync('functions').toSorted();

it('each folder of functions/ is deployed, and nothing else is', () => {
  expect(
    entries(contracts)
      .map(({ name }) => name)
      .toSorted(),
  ).toEqual(folders);
});

it.each(folders.filter((name) => name !== fallback && !workers.some((worker) => worker === name)))(
  '%s answers its own routes',
  (name) => {
    expect(readFileSync(`functions/${name}/handler.ts`, 'utf8')).toMatch(
      new RegExp(`answer(Routes|OnDemand)<'${name}'>\\(`),
    );
  },
);
