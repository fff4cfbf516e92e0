import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { root } from '../lib/build/places.ts';
import { documents } from './tables/documents.ts';
import { fillTables } from './tables/fill.ts';

for (const [name, tables] of Object.entries(documents)) {
  const file = path.join(root, name);
  await writeFile(file, fillTables(await readFile(file, 'utf8'), tables()));
}
