import { usedCpus as busyCpus, cpusOf } from '../../core/cost-model/processors.ts';
import { overheadSeconds } from '../../core/pricing/per-job.ts';
import { pricesRegion } from '../../core/pricing/prices.ts';
import { measured, type ResolutionName } from './measured.ts';

export type Workload = {
  /** Minutes of media over all jobs. */
  minutes: number;
  /** Minutes of media per job. */
  minutesPerJob: number;
  resolution: ResolutionName;
  region: string;
  architecture: 'arm64' | 'x86_64';
  memoryMb: number;
  retentionDays: number;
  /** Downloads per result. */
  downloads: number;
  /** Media seconds per worker second (metric EncodeSpeed); undefined: estimated from `measured`. */
  encodeSpeed?: number | undefined;
};

export const defaultWorkload: Workload = {
  minutes: 1000,
  minutesPerJob: 5,
  resolution: '1080p',
  region: pricesRegion,
  architecture: 'arm64',
  memoryMb: 3008,
  retentionDays: 30,
  downloads: 0,
};

/** The maximum duration of a Lambda function. */
export const maxJobSeconds = 15 * 60;

/** vCPUs of a function that ffmpeg uses. */
export function usedCpus(memoryMb: number): number {
  return busyCpus(cpusOf(memoryMb));
}

/** Duration of one job in the transcoder. */
export function jobSeconds(workload: Workload): number {
  const { resolution, minutesPerJob, memoryMb, encodeSpeed } = workload;
  const mediaSeconds = minutesPerJob * 60;
  if (encodeSpeed !== undefined) return mediaSeconds / encodeSpeed;
  return (measured[resolution].cpu * mediaSeconds) / usedCpus(memoryMb) + overheadSeconds;
}

export function resultBytes({ resolution, minutesPerJob }: Workload): number {
  return (measured[resolution].bitrateKbps * 1000 * minutesPerJob * 60) / 8;
}
