import { prices } from './prices.ts';
import { jobSeconds, resultBytes, type Workload } from './workload.ts';

/** Dollars of one job, part by part. */
export type Parts = Record<
  'transcoding' | 'disk' | 'api' | 'records' | 'webhook' | 'files' | 'logs' | 'traces',
  number
>;

const heartbeatSeconds = 2;
const diskGb = 10 - 0.5;
const partBytes = 16 * 1024 * 1024;

/** What one job costs, when it succeeds at its first attempt and its webhook does. */
export function costOfJob(workload: Workload): Parts {
  const seconds = jobSeconds(workload);
  return {
    transcoding: invocation(workload, { gb: workload.memoryMb / 1024, seconds }),
    disk: seconds * diskGb * prices.lambdaDisk.dollars,
    api: api(workload),
    records: records(seconds),
    webhook: webhook(workload),
    files: files(workload),
    // Some twenty lines, half a kilobyte each.
    logs: ((20 * 0.5) / 1e6) * prices.logs.dollars,
    // Of three requests, the transcoder and the delivery: the most there are, above one a second X-Ray samples.
    traces: 5 * prices.trace.dollars,
  };
}

export function sum(parts: Parts): number {
  return Object.values(parts).reduce((total, part) => total + part, 0);
}

function invocation({ architecture }: Workload, { gb, seconds }: { gb: number; seconds: number }): number {
  const { dollars } = architecture === 'arm64' ? prices.lambdaArm : prices.lambdaX86;
  return prices.lambdaRequest.dollars + gb * seconds * dollars;
}

/** The submission and two reads, each a tenth of a second in a function of 1 GB. */
function api(workload: Workload): number {
  const request = prices.apiRequest.dollars + prices.cloudFrontRequest.dollars;
  return 3 * (request + invocation(workload, { gb: 1, seconds: 0.1 }));
}

/** A record is two write units, its index entries two more; a heartbeat reads it and mostly writes it. */
function records(seconds: number): number {
  const heartbeats = seconds / heartbeatSeconds;
  // Create, claim, end, note and settle the delivery, open and close its attempt.
  const writes = 7 + heartbeats;
  return (
    writes * 4 * prices.tableWrite.dollars +
    (10 + heartbeats) * prices.tableRead.dollars +
    // Sent, received, deleted.
    3 * prices.queueRequest.dollars
  );
}

/** Five states, one second of a function of half a GB, one event on the bus. */
function webhook(workload: Workload): number {
  const attempt = invocation(workload, { gb: 0.5, seconds: 1 });
  return 5 * prices.transition.dollars + attempt + prices.busEvent.dollars;
}

/** The result, in parts where it is large, and ffmpeg's log beside it. */
function files(workload: Workload): number {
  const bytes = resultBytes(workload);
  const parts = Math.ceil(bytes / partBytes);
  const puts = (parts > 1 ? parts + 2 : 1) + 1;
  const gb = bytes / 1e9;
  const kept = gb * prices.fileMonth.dollars * (workload.retentionDays / 30);
  return puts * prices.filePut.dollars + kept + gb * workload.downloads * prices.transferOut.dollars;
}
