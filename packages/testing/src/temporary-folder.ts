import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterUse } from './after-use.ts';

/** A new empty folder. Removed after the test, or after the tests of the file if no test is running. */
export async function aTemporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'media-jobs-test-'));
  // What was stopped just now may still write.
  afterUse(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}
