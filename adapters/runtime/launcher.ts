import { join } from 'node:path';
import { type Launcher, launcherLayers } from '@media-jobs/video/runner';
import { logger } from './logger.ts';

const wanted = ['no_new_privs', 'seccomp', 'landlock'];

/** `isolation` has the layers around ffmpeg on this kernel, such as `landlock 7`. */
type Opened = { launcher?: Launcher; isolation?: string[] };

/** The launcher of this worker, if it has one. Logs once which layers its kernel lacks. */
export function openLauncher(env: { LAUNCHER_DIRECTORY: string; FONTS_PATH: string }): Opened {
  if (env.LAUNCHER_DIRECTORY === '') return {};
  const launcher = { path: join(env.LAUNCHER_DIRECTORY, 'launcher'), readable: [env.FONTS_PATH] };
  const isolation = launcherLayers(launcher);
  const missing = wanted.filter((layer) => !isolation.some((found) => found.startsWith(layer)));
  if (missing.length > 0) logger.warn('ffmpeg runs with fewer layers of isolation', { missing, isolation });
  return { launcher, isolation };
}
