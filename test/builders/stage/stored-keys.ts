import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { RunningStage } from './running-stage.ts';

// How s3rver calls the file of an object.
const objectFile = /^[^/]+\/(.+)\._S3rver_object$/;

/** The keys of all objects in a stage's buckets that have these words in them, in their order; read from its disk. */
export async function storedKeys(
  { dataDirectory }: Pick<RunningStage, 'dataDirectory'>,
  words: string,
): Promise<string[]> {
  const files = await readdir(join(dataDirectory, 's3'), { recursive: true });
  const keys = files.flatMap((file) => objectFile.exec(file)?.[1] ?? []);
  return keys.filter((key) => key.includes(words)).sort();
}
