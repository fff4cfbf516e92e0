import { createHash, randomUUID } from 'node:crypto';
import { existsSync, mkdirSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ffmpegPrograms } from './bare-ffmpeg.ts';

const cache = join(tmpdir(), 'media-jobs-clips');

/**
 * The path of a file that is generated once and cached for later runs. Its name contains a hash of the recipe and of
 * the ffmpeg path. Safe for concurrent use by several processes.
 */
export async function cachedFile(
  { name, recipe }: { name: string; recipe: unknown },
  make: (path: string) => Promise<unknown>,
): Promise<string> {
  const hash = createHash('sha256')
    .update(JSON.stringify([ffmpegPrograms, recipe]))
    .digest('hex')
    .slice(0, 16);
  const path = join(cache, `${hash}-${name}`);
  if (existsSync(path)) return path;
  mkdirSync(cache, { recursive: true });
  const unfinished = join(cache, `${randomUUID()}-${name}`);
  try {
    await make(unfinished);
    await rename(unfinished, path);
  } finally {
    await rm(unfinished, { force: true });
  }
  return path;
}
