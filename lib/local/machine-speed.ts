import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Stage } from '@media-jobs/local-stage';
import { encoderSlowness } from '../../adapters/dynamodb/encoder-slowness.ts';
import { systemClock } from '../../adapters/system/clock.ts';
import { withStageTable } from './stage-table.ts';

/**
 * Processor seconds of the reference encode on a machine where real videos take as long as the model says. Measured twice on two
 * processors: 1.69 and 1.72 by 40 clips of 2 to 17 s together, 1.90 and 1.97 by one of 90 s.
 */
const referenceSeconds = 1.75;

const repetitions = 3;

/**
 * How many times as long as expected a video encode takes on this machine, by a reference encode.
 *
 * @param clip the sample clip, 5 s of 720p
 */
export async function machineSlowness({ ffmpeg, clip }: { ffmpeg: string; clip: string }): Promise<number> {
  const encode = ['-i', clip, '-an', '-vf', 'scale=640:360', '-c:v', 'libx264', '-preset', 'medium', '-f', 'null', '-'];
  const times: number[] = [];
  while (times.length < repetitions) {
    const { cpuSeconds } = await ffmpegCpuSeconds(ffmpeg, ['-nostdin', ...encode]);
    times.push(cpuSeconds);
  }
  const median = times.sort((one, other) => one - other)[Math.floor(repetitions / 2)] ?? 0;
  return median / referenceSeconds;
}

/** Stores the slowness of this machine, from which the estimates of a local stage start until its jobs have measured more. */
export function storeMachineSlowness(stage: Stage, slowness: number): Promise<void> {
  return withStageTable(stage, (client, tableName) =>
    encoderSlowness(client, tableName, systemClock).write('other', slowness),
  );
}

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
