import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { fillTables } from '../../lab/markdown/fill-tables.ts';
import { documents } from '../../lab/tables/documents.ts';
import { httpRequests } from '../../lab/tables/http-requests.ts';
import { root } from '../../lib/build/paths.ts';

it.each(Object.entries(documents))('%s has the tables of "npm run tables"', (name, tables) => {
  const text = readFileSync(path.join(root, name), 'utf8');
  expect(text).toBe(fillTables(text, tables()));
});

it('examples/jobs.http has the jobs of the cookbook', async () => {
  expect(readFileSync(path.join(root, 'examples/jobs.http'), 'utf8')).toBe(await httpRequests());
});
