import { totalmem } from 'node:os';
import type { EncoderLimits } from '../../core/media/ffmpeg/ffmpeg-arguments.ts';
import type { ProcessLimits } from './process.ts';

/** What the adapter is told by the environment; everything but the two paths has a default. */
export type FfmpegSettings = {
  ffmpegPath: string;
  ffprobePath: string;
  /** Where their shared libraries lie, if not where the system looks. */
  libraryPath?: string;
  limits?: Partial<ProcessLimits>;
  bounds?: Partial<Omit<EncoderLimits, 'maxCpuSeconds'>>;
  /** Seconds between TERM and KILL. */
  graceSeconds?: number;
  /** Seconds that measuring a file may take. */
  probeSeconds?: number;
};

const gibibyte = 2 ** 30;

/** The settings with every default filled in. */
export function withDefaults(settings: FfmpegSettings) {
  return {
    graceSeconds: 1,
    probeSeconds: 120,
    ...settings,
    // Nothing larger than Lambda's /tmp; no more memory than the machine has.
    limits: { fileSizeBytes: 10 * gibibyte, memoryBytes: totalmem(), ...settings.limits },
    bounds: { maxPixels: 8192 * 8192, maxAllocationBytes: gibibyte, ...settings.bounds },
  };
}

export type CompleteSettings = ReturnType<typeof withDefaults>;
