import { chmod, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** Lambda runs a function as another user than the one who builds it. */
const readableByAll = 0o644;

/**
 * Writes a file atomically, so that a concurrent build never reads half of it. All users may read it, whatever the umask
 * of the build.
 */
export async function writeIfChanged(file: string, contents: Uint8Array): Promise<void> {
  const present = await readFile(file).catch(() => undefined);
  if (present?.equals(contents)) return chmod(file, readableByAll);
  await mkdir(path.dirname(file), { recursive: true });
  const partial = `${file}.${process.pid}`;
  await writeFile(partial, contents);
  await chmod(partial, readableByAll);
  await rename(partial, file);
}

/**
 * Removes what a folder has beside the given names. A concurrent build may be writing into it: unfinished files of
 * `writeIfChanged` stay.
 */
export async function removeOthers(directory: string, names: readonly string[]): Promise<void> {
  const present = await readdir(directory).catch(() => []);
  const others = present.filter((name) => !names.includes(name.replace(/\.\d+$/, '')));
  await Promise.all(others.map((name) => rm(path.join(directory, name), { recursive: true, force: true })));
}
