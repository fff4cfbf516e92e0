import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { RunningStage } from './running-stage.ts';

// The file name of an object in s3rver's directory.
const objectFile = /^[^/]+\/(.+)\._S3rver_object$/;

/** The sorted keys of all objects in a stage's buckets that contain this text; read from its disk. */
export async function storedKeys(
  { dataDirectory }: Pick<RunningStage, 'dataDirectory'>,
  text: string,
): Promise<string[]> {
  const files = await readdir(join(dataDirectory, 's3'), { recursive: true });
  const keys = files.flatMap((file) => objectFile.exec(file)?.[1] ?? []);
  return keys.filter((key) => key.includes(text)).sort();
}
