import { measured } from './measured.ts';
import type { ResolutionName } from './resolutions.ts';

export type Workload = {
  /** Of media, over all jobs. */
  minutes: number;
  /** Of one job. */
  minutesPerJob: number;
  resolution: ResolutionName;
  architecture: 'arm64' | 'x86_64';
  memoryMb: number;
  /** How long results are kept. */
  retentionDays: number;
  /** How often each result is downloaded. */
  downloads: number;
  /** Seconds of media per second of a worker, as the metric EncodeSpeed tells; else reckoned from `measured`. */
  encodeSpeed?: number | undefined;
};

export const defaultWorkload: Workload = {
  minutes: 1000,
  minutesPerJob: 5,
  resolution: '1080p',
  architecture: 'arm64',
  memoryMb: 3008,
  retentionDays: 30,
  downloads: 0,
};

/** The longest that a Lambda function may run. */
export const maxJobSeconds = 15 * 60;

/** A function has one processor at this much memory, and others in proportion (AWS Lambda's documentation). */
const memoryOfOneProcessorMb = 1769;
/** Of several processors, the part that ffmpeg keeps busy. Assumed. */
const efficiency = 0.85;
/** Start, download, probe, check, upload and record. Assumed. */
export const overheadSeconds = 3;

/** How many processors of a function ffmpeg keeps busy. */
export function busyProcessors(memoryMb: number): number {
  const processors = memoryMb / memoryOfOneProcessorMb;
  return processors <= 1 ? processors : processors * efficiency;
}

/** How long one job occupies the transcoder, in seconds. */
export function jobSeconds(workload: Workload): number {
  const { resolution, minutesPerJob, memoryMb, encodeSpeed } = workload;
  const mediaSeconds = minutesPerJob * 60;
  if (encodeSpeed !== undefined) return mediaSeconds / encodeSpeed;
  return (measured[resolution].cpu * mediaSeconds) / busyProcessors(memoryMb) + overheadSeconds;
}

/** The size of one result, in bytes. */
export function resultBytes({ resolution, minutesPerJob }: Workload): number {
  return (measured[resolution].bitrateKbps * 1000 * minutesPerJob * 60) / 8;
}
