import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { aTemporaryFolder } from '@media-jobs/testing/temporary-folder';
import { expect, it } from 'vitest';
import { lockDataDirectory } from '../src/data-lock.ts';

it('creates a data directory with its parents, and locks it until the lock is released', async () => {
  const directory = join(await aTemporaryFolder(), 'a', 'b');
  const unlock = lockDataDirectory(directory);
  expect(() => lockDataDirectory(directory)).toThrow(
    `Another local stage uses the data directory ${directory}. Stop it, or start this one with another --data-dir.`,
  );
  unlock();
  lockDataDirectory(directory)();
});

async function aFile(): Promise<string> {
  const path = join(await aTemporaryFolder(), 'file');
  await writeFile(path, '');
  return path;
}

function expectReport(directory: string, reason: string): void {
  const lock = () => lockDataDirectory(directory);
  expect(lock).toThrow(`The data directory ${directory} cannot be created or written: ${reason}`);
  expect(lock).toThrow('Choose a folder that you can write to with --data-dir.');
}

it('reports a data directory that is a file, or below one, and what to do', async () => {
  const file = await aFile();
  for (const directory of [file, join(file, 'below')]) expectReport(directory, 'EEXIST');
});

// Not even root can write to /proc.
it.runIf(process.platform === 'linux')('reports a data directory that it cannot create or write', () => {
  expectReport('/proc/media-jobs/data', 'ENOENT');
  expectReport('/proc', 'unable to open database file');
});
