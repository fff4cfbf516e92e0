import { transferSeconds } from '@media-jobs/video/decide';
import { costOfJob, sumOfParts } from './cost-of-job.ts';
import { secondsBeforeEncoding } from './expected-use.ts';
import { usualReads } from './per-job.ts';
import type { PricedStage } from './region-prices.ts';

/** The expected cost in dollars of a retry that only uploads encoded files of this size, without the transfer. */
export function costOfRepeatedUpload(bytes: number, stage: PricedStage): number {
  const workerSeconds = secondsBeforeEncoding(bytes) + transferSeconds(bytes);
  const noTasks = { tasks: 0, executions: 0 };
  const noFiles = { outputs: 0, outputBytes: 0, downloads: 0 };
  return sumOfParts(costOfJob({ workerSeconds, attempts: 1, reads: usualReads, ...noTasks, ...noFiles }, stage));
}
