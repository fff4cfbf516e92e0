import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';

const folders: string[] = [];

// Registered first and therefore run last, when nothing uses the folders any more.
afterAll(async () => {
  await Promise.all(
    folders.splice(0).map((folder) => rm(folder, { recursive: true, force: true, maxRetries: 5 })),
  );
});

/** A new empty folder. Removed after the tests of the file. */
export async function aFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'local-stage-'));
  folders.push(folder);
  return folder;
}
