import { join } from 'node:path';
import type { Environment } from '../environment.ts';

/** The folder of this program for what it can make again; undefined without a home folder. */
export function cacheFolder({ XDG_CACHE_HOME, LOCALAPPDATA, HOME }: Environment): string | undefined {
  const folder = XDG_CACHE_HOME || LOCALAPPDATA || (HOME && join(HOME, '.cache'));
  return folder ? join(folder, 'media-jobs') : undefined;
}
