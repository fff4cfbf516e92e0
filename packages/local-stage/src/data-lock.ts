import { mkdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** SQLITE_BUSY, see https://www.sqlite.org/rescode.html#busy */
const busy = 5;

/**
 * Creates a data directory and locks it, because two stages would overwrite each other's data. The operating system
 * releases the lock when the process ends, even by a crash.
 *
 * @returns a function that releases the lock
 * @throws Error that says what to do if another stage has the lock, or the directory cannot be created or written
 */
export function lockDataDirectory(directory: string): () => void {
  let database: DatabaseSync | undefined;
  try {
    makeDirectory(directory);
    database = new DatabaseSync(join(directory, 'lock.db'));
    database.exec('BEGIN EXCLUSIVE');
  } catch (cause) {
    database?.close();
    throw new Error(explain(directory, cause), { cause });
  }
  return () => database.close();
}

/** Not by `recursive`: Node repeats that forever if a directory cannot be created below an existing one, as in /proc. */
function makeDirectory(directory: string): void {
  const isDirectory = () => statSync(directory, { throwIfNoEntry: false })?.isDirectory() === true;
  if (isDirectory()) return;
  makeDirectory(dirname(directory));
  try {
    mkdirSync(directory);
  } catch (error) {
    // Another process may have created it.
    if (!isDirectory()) throw error;
  }
}

function explain(directory: string, cause: unknown): string {
  if (cause instanceof Error && 'errcode' in cause && cause.errcode === busy) {
    const advice = 'Stop it, or start this one with another --data-dir.';
    return `Another local stage uses the data directory ${directory}. ${advice}`;
  }
  const reason = cause instanceof Error ? cause.message : String(cause);
  const advice = 'Choose a folder that you can write to with --data-dir.';
  return `The data directory ${directory} cannot be created or written: ${reason}. ${advice}`;
}
