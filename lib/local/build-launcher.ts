import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { findFfmpeg, findFonts } from '@media-jobs/video/local-programs';
import { ffmpegEncoder, launcherLayers } from '@media-jobs/video/runner';
import { buildDirectory, root } from '../build/paths.ts';

const sources = path.join(root, 'layers/launcher');

/** The compiled launcher and what it puts around ffmpeg here, or why there is none. */
export type LocalLauncher = { directory: string; layers: string[] } | { directory: undefined; problem: string };

async function buildLauncher(): Promise<LocalLauncher> {
  if (process.platform !== 'linux') return { directory: undefined, problem: 'only Linux has what it needs' };
  const directory = path.join(buildDirectory, `launcher-${await hashOf(sources)}`);
  try {
    if (!existsSync(directory)) await compile(directory);
  } catch {
    return { directory: undefined, problem: 'install a C compiler, such as gcc' };
  }
  const launcher = { path: path.join(directory, 'launcher'), readable: [findFonts()] };
  const { ffmpeg: ffmpegPath, ffprobe: ffprobePath } = findFfmpeg(process.env);
  try {
    await ffmpegEncoder({ ffmpegPath, ffprobePath, launcher }).version();
    return { directory, layers: launcherLayers(launcher) };
  } catch {
    return { directory: undefined, problem: `${ffmpegPath} needs files outside of /opt, /usr/lib and its own` };
  }
}

async function hashOf(folder: string): Promise<string> {
  const names = (await readdir(folder)).sort();
  const contents = await Promise.all(names.map((name) => readFile(path.join(folder, name))));
  return createHash('sha256').update(Buffer.concat(contents)).digest('hex').slice(0, 12);
}

/** In place at once: another process may start a stage meanwhile. */
async function compile(directory: string): Promise<void> {
  await mkdir(path.dirname(directory), { recursive: true });
  const partial = await mkdtemp(`${directory}-`);
  try {
    await promisify(execFile)('sh', [path.join(sources, 'build.sh'), partial]);
    await rename(partial, directory);
  } catch (error) {
    await rm(partial, { recursive: true, force: true });
    if (!existsSync(directory)) throw error;
  }
}

let built: Promise<LocalLauncher> | undefined;

/** The launcher of this machine. It is compiled once for each version of its sources. */
export function localLauncher(): Promise<LocalLauncher> {
  built ??= buildLauncher();
  return built;
}
