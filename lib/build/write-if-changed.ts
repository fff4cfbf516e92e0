import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** Writes a file atomically, so that a concurrent build never reads half of it. */
export async function writeIfChanged(file: string, contents: Uint8Array): Promise<void> {
  const present = await readFile(file).catch(() => undefined);
  if (present?.equals(contents)) return;
  await mkdir(path.dirname(file), { recursive: true });
  const partial = `${file}.${process.pid}`;
  await writeFile(partial, contents);
  await rename(partial, file);
}
