import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished, TestRunner } from 'vitest';

const foldersOfHooks: string[] = [];

/** A new empty folder. Removed after the test, or after the tests of the file if no test is running. */
export async function aTemporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'media-jobs-test-'));
  if (TestRunner.getCurrentTest() === undefined) foldersOfHooks.push(folder);
  else onTestFinished(() => remove(folder));
  return folder;
}

export async function removeFoldersOfHooks(): Promise<void> {
  await Promise.all(foldersOfHooks.splice(0).map(remove));
}

// What was stopped just now may still write.
const remove = (folder: string) => rm(folder, { recursive: true, force: true, maxRetries: 5 });
