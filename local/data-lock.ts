import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/**
 * Locks a data directory, because two stages would overwrite each other's data. The operating system releases the lock
 * when the process ends, even by a crash.
 *
 * @returns a function that releases the lock
 */
export function lockDataDirectory(directory: string): () => void {
  mkdirSync(directory, { recursive: true });
  const database = new DatabaseSync(join(directory, 'lock.db'));
  try {
    database.exec('BEGIN EXCLUSIVE');
  } catch (cause) {
    database.close();
    const advice = 'Stop it, or start this one with another --data-dir.';
    throw new Error(`Another local stage uses the data directory ${directory}. ${advice}`, { cause });
  }
  return () => database.close();
}
