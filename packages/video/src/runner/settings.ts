import { statfsSync } from 'node:fs';
import { tmpdir, totalmem } from 'node:os';
import type { EncoderLimits } from '../media/ffmpeg/command.ts';
import type { ProcessLimits, ProcessSettings } from './process.ts';

/** Settings of the adapter. Only the two paths are required. */
export type FfmpegSettings = Omit<ProcessSettings, 'limits'> & {
  ffmpegPath: string;
  ffprobePath: string;
  /** The program `vmaf` of libvmaf. Without it, videos are compared by ffmpeg's filter, if it has that. */
  vmafPath?: string | undefined;
  limits?: Partial<ProcessLimits>;
  encoderLimits?: Partial<Omit<EncoderLimits, 'maxCpuSeconds' | 'cpuCount'>>;
  /** Seconds between SIGTERM and SIGKILL. */
  graceSeconds?: number;
  /** Time limit for probing a file. */
  probeSeconds?: number;
};

const gibibyte = 2 ** 30;

/** Completes the settings with the defaults of a worker. */
export function withDefaults(settings: FfmpegSettings) {
  return {
    graceSeconds: 1,
    probeSeconds: 120,
    ...settings,
    // The size of the disk, which is 10 GB in a function, and the memory of the machine.
    limits: { fileSizeBytes: diskBytes(), memoryBytes: totalmem(), ...settings.limits },
    encoderLimits: { maxPixels: 8192 * 8192, maxAllocationBytes: gibibyte, ...settings.encoderLimits },
  };
}

function diskBytes(): number {
  const { blocks, bsize } = statfsSync(tmpdir());
  return blocks * bsize;
}

export type CompleteSettings = ReturnType<typeof withDefaults>;
