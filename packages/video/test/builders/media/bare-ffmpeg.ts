import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { findFfmpeg } from '../../../src/local-programs.ts';

const run = promisify(execFile);

const found = findFfmpeg(process.env);

export const ffmpegPrograms = { ffmpegPath: found.ffmpeg, ffprobePath: found.ffprobe, vmafPath: found.vmaf };

/** Runs ffmpeg without any guard and returns what it wrote to stderr: to make clips and to measure results. */
export async function bareFfmpeg(args: string[]): Promise<string> {
  const { stderr } = await run(ffmpegPrograms.ffmpegPath, ['-hide_banner', '-nostdin', '-y', ...args], {
    maxBuffer: 64 * 1024 * 1024,
  });
  return stderr;
}

/** Runs ffmpeg without any guard and returns the bytes that it wrote to its output `-`. */
export async function bareFfmpegOutput(args: string[]): Promise<Buffer> {
  const { stdout } = await run(ffmpegPrograms.ffmpegPath, ['-v', 'error', '-nostdin', ...args], {
    encoding: 'buffer',
    maxBuffer: 64 * 1024 * 1024,
  });
  return stdout;
}

/** Runs ffprobe without any guard and returns its lines. */
export async function bareFfprobe(args: string[]): Promise<string[]> {
  const { stdout } = await run(ffmpegPrograms.ffprobePath, ['-v', 'error', ...args], { maxBuffer: 64 * 1024 * 1024 });
  return stdout.split('\n').filter((line) => line !== '');
}
