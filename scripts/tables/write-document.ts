import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { root } from '../../lib/build/paths.ts';
import { fillTables } from '../markdown/fill-tables.ts';
import { documents } from './documents.ts';

/**
 * Writes the tables of one document anew; its words stay.
 *
 * @throws Error for a document that has none
 */
export async function writeDocument(name: string): Promise<void> {
  const tables = documents[name];
  if (tables === undefined)
    throw new Error(`${name} has no tables. Those that have: ${Object.keys(documents).join(', ')}`);
  const file = path.join(root, name);
  await writeFile(file, fillTables(await readFile(file, 'utf8'), tables()));
}
