import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/**
 * Processor seconds of one run of ffmpeg over all threads, as it reports them itself, and its log. Other load changes them
 * less than wall time: by up to a fifth.
 */
export async function ffmpegCpuSeconds(
  ffmpeg: string,
  args: readonly string[],
  { directory }: { directory?: string } = {},
): Promise<{ cpuSeconds: number; log: string }> {
  const { stderr } = await promisify(execFile)(ffmpeg, ['-benchmark', ...args], {
    cwd: directory,
    maxBuffer: 64_000_000,
  });
  const [, user, system] = /bench: utime=([\d.]+)s stime=([\d.]+)s/.exec(stderr) ?? [];
  if (system === undefined) throw new Error(`${ffmpeg} printed no line "bench: utime=…"`);
  return { cpuSeconds: Number(user) + Number(system), log: stderr };
}
