import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';

/**
 * Removes what a folder has beside the given names. A concurrent build may be writing into it: unfinished files of
 * `writeIfChanged` stay.
 */
export async function removeOthers(directory: string, names: readonly string[]): Promise<void> {
  const present = await readdir(directory).catch(() => []);
  const others = present.filter((name) => !names.includes(name.replace(/\.\d+$/, '')));
  await Promise.all(others.map((name) => rm(path.join(directory, name), { recursive: true, force: true })));
}
