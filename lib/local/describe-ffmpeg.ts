import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { findFfmpeg, onPath } from '@media-jobs/video/local-programs';
import type { LocalLauncher } from './build-launcher.ts';

/** The release series of the container image. */
const imageSeries = [7, 1] as const;

/**
 * Describes the ffmpeg that the stage runs, and whether one on the PATH is of the image's series or later while this
 * one is not.
 *
 * @param environment normally `process.env`
 */
export async function describeFfmpeg(environment: Record<string, string | undefined>): Promise<string> {
  const { ffmpeg: path } = findFfmpeg(environment);
  const version = await readVersion(path);
  const line = `ffmpeg ${version ?? 'of unknown version'}, ${path}`;
  const other = onPath('ffmpeg', environment);
  if (isOfImageSeries(version) || other === undefined || other === path) return line;
  const otherVersion = await readVersion(other);
  if (!isOfImageSeries(otherVersion)) return line;
  return `${line}\n             ffmpeg ${otherVersion} is closer to the one in the image: set FFMPEG_PATH=${other} and FFPROBE_PATH`;
}

/** One line: what keeps a hostile file from this machine. */
export function describeIsolation(launcher: LocalLauncher): string {
  if (launcher.directory === undefined) return `not isolated, since there is no launcher: ${launcher.problem}`;
  return `isolated by ${launcher.layers.join(', ')}`;
}

/** Such as `7.1.5-0+deb13u1`. Undefined if the program does not start or prints no version. */
async function readVersion(path: string): Promise<string | undefined> {
  try {
    const { stdout } = await promisify(execFile)(path, ['-version'], { timeout: 30_000 });
    return /^ffmpeg version (\S+)/.exec(stdout)?.[1];
  } catch {
    return undefined;
  }
}

/** Builds from git name a commit, such as `N-118000-g0123abc`: their series is unknown. */
function isOfImageSeries(version = ''): boolean {
  const [, major, minor] = /^n?(\d+)\.(\d+)/.exec(version) ?? [];
  if (major === undefined) return false;
  const [wantedMajor, wantedMinor] = imageSeries;
  return Number(major) > wantedMajor || (Number(major) === wantedMajor && Number(minor) >= wantedMinor);
}
