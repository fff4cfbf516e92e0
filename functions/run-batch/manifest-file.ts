import { rm } from 'node:fs/promises';
import path from 'node:path';

/**
 * Runs an act with the one file that a step writes, and removes it. A killed step leaves it, since the disk of a sandbox outlives
 * an invocation: the next step writes over it, of whichever batch.
 */
export function manifestFile(directory: string) {
  const file = path.join(directory, 'manifest.jsonl');
  return async <Result>(act: (file: string) => Promise<Result>): Promise<Result> => {
    try {
      return await act(file);
    } finally {
      await rm(file, { force: true });
    }
  };
}
