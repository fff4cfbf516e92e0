import type { Stage } from '@media-jobs/local-stage';
import { encoderSlowness } from '../../adapters/dynamodb/encoder-slowness.ts';
import { systemClock } from '../../adapters/system/clock.ts';
import { ffmpegCpuSeconds } from './cpu-seconds.ts';
import { withStageTable } from './stage-table.ts';

/** Processor seconds of the reference encode on the calibrated machine: the median of six runs beside a calibrated encode, 1.19 to 1.53. */
const calibratedSeconds = 1.25;

/**
 * How many times as long as on the calibrated machine a video encode takes on this one, by a reference encode.
 *
 * @param clip the sample clip, 5 s of 720p
 */
export async function machineSlowness({ ffmpeg, clip }: { ffmpeg: string; clip: string }): Promise<number> {
  const encode = ['-i', clip, '-an', '-vf', 'scale=640:360', '-c:v', 'libx264', '-preset', 'medium', '-f', 'null', '-'];
  const { cpuSeconds } = await ffmpegCpuSeconds(ffmpeg, ['-nostdin', ...encode]);
  return cpuSeconds / calibratedSeconds;
}

/** Stores the slowness of this machine, from which the estimates of a local stage start until its jobs have measured more. */
export function storeMachineSlowness(stage: Stage, slowness: number): Promise<void> {
  return withStageTable(stage, (client, tableName) =>
    encoderSlowness(client, tableName, systemClock).write('other', slowness),
  );
}
