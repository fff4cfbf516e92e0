import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Stage } from '@media-jobs/local-stage';
import { encoderSlowness } from '../../adapters/dynamodb/encoder-slowness.ts';
import { systemClock } from '../../adapters/system/clock.ts';
import { withStageTable } from './stage-table.ts';

/** Processor seconds of the reference encode on the calibrated machine. Measured in six runs, each between two calibrated encodes. */
const calibratedSeconds = 1.25;

/**
 * How many times as long as on the calibrated machine a video encode takes on this one, by a reference encode.
 *
 * @param clip the sample clip, 5 s of 720p
 */
export async function machineSlowness({ ffmpeg, clip }: { ffmpeg: string; clip: string }): Promise<number> {
  const encode = ['-i', clip, '-an', '-vf', 'scale=640:360', '-c:v', 'libx264', '-preset', 'medium', '-f', 'null', '-'];
  const { stderr } = await promisify(execFile)(ffmpeg, ['-nostdin', '-benchmark', ...encode]);
  const [, user, system] = /bench: utime=([\d.]+)s stime=([\d.]+)s/.exec(stderr) ?? [];
  const seconds = Number(user) + Number(system);
  if (!(seconds > 0)) throw new Error(`${ffmpeg} printed no line "bench: utime=…"`);
  return seconds / calibratedSeconds;
}

/** Stores the slowness of this machine, so that the estimates of a local stage are right from its first job. */
export function storeMachineSlowness(stage: Stage, slowness: number): Promise<void> {
  return withStageTable(stage, (client, tableName) =>
    encoderSlowness(client, tableName, systemClock).write('other', slowness),
  );
}
