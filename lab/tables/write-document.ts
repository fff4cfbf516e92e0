import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { root } from '../../lib/build/paths.ts';
import { fillTables } from '../markdown/fill-tables.ts';
import { documents } from './documents.ts';

/**
 * Regenerates the tables of one document.
 *
 * @throws Error for a document without tables
 */
export async function writeDocument(name: string): Promise<void> {
  const tables = documents[name];
  if (tables === undefined)
    throw new Error(`${name} has no tables. Documents with tables: ${Object.keys(documents).join(', ')}`);
  const file = path.join(root, name);
  await writeFile(file, fillTables(await readFile(file, 'utf8'), tables()));
}
