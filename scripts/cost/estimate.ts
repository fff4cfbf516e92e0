import { measured } from './measured.ts';
import { prices } from './prices.ts';
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

/** Dollars of one job, part by part. */
export type Parts = Record<'transcoding' | 'disk' | 'api' | 'records' | 'webhook' | 'files' | 'logs', number>;

/** At this much memory a function has one processor (AWS Lambda's documentation). */
const memoryOfOneProcessorMb = 1769;
/** Of several processors, the part that ffmpeg keeps busy. Assumed. */
const efficiency = 0.85;
/** Start, download, probe, check, upload and record. Assumed. */
const overheadSeconds = 3;
const heartbeatSeconds = 2;

/** How long one job occupies the transcoder, in seconds. */
export function jobSeconds({ resolution, minutesPerJob, memoryMb }: Workload): number {
  const processors = memoryMb / memoryOfOneProcessorMb;
  const used = processors <= 1 ? processors : processors * efficiency;
  return (measured[resolution].cpu * minutesPerJob * 60) / used + overheadSeconds;
}

/** What one job costs. */
export function costOfJob(workload: Workload): Parts {
  const seconds = jobSeconds(workload);
  return {
    transcoding:
      (seconds * workload.memoryMb * prices.lambdaGbSecond[workload.architecture]) / 1024 +
      prices.lambdaRequest,
    disk: seconds * 9.5 * prices.lambdaStorageGbSecond,
    api: api(workload),
    records: records(seconds),
    webhook: webhook(workload),
    files: files(workload),
    // Some twenty lines, half a kilobyte each.
    logs: (20 * 0.5 * prices.logGb) / 1e6,
  };
}

/** The submission and two reads, each a tenth of a second in a function of 1 GB. */
function api({ architecture }: Workload): number {
  const call = prices.apiRequest + prices.cloudFrontRequest + prices.lambdaRequest;
  return 3 * (call + 0.1 * prices.lambdaGbSecond[architecture]);
}

/** A record is two write units, its index entries two more; a heartbeat reads it and mostly writes it. */
function records(seconds: number): number {
  const heartbeats = seconds / heartbeatSeconds;
  // Create, claim, end, note and settle the delivery, open and close its attempt.
  const writes = 7 + heartbeats;
  return (
    writes * 4 * prices.tableWriteUnit + (10 + heartbeats) * prices.tableReadUnit + 3 * prices.queueRequest
  );
}

/** Five states, one second of a function of half a GB, one event on the bus. */
function webhook({ architecture }: Workload): number {
  const call = prices.lambdaRequest + 0.5 * prices.lambdaGbSecond[architecture];
  return 5 * prices.stateTransition + call + prices.busEvent;
}

function files({ resolution, minutesPerJob, retentionDays, downloads }: Workload): number {
  const gb = (measured[resolution].bitrateKbps * 1000 * minutesPerJob * 60) / 8 / 1e9;
  const kept = (gb * prices.s3GbMonth * retentionDays) / 30;
  return prices.s3Put + kept + gb * downloads * prices.transferOutGb;
}

export function sum(parts: Parts): number {
  return Object.values(parts).reduce((total, part) => total + part, 0);
}
