import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/**
 * Takes a data directory for this stage alone; two would write over each other. The lock is the operating system's, so
 * it ends with the process, however that ends.
 *
 * @returns a function that gives the directory back
 */
export function lockDataDirectory(directory: string): () => void {
  mkdirSync(directory, { recursive: true });
  const database = new DatabaseSync(join(directory, 'lock.db'));
  try {
    database.exec('BEGIN EXCLUSIVE');
  } catch (cause) {
    database.close();
    const advice = 'Stop that one, or give this one another --data-dir.';
    throw new Error(`Another local stage works on the data in ${directory}. ${advice}`, { cause });
  }
  return () => database.close();
}
