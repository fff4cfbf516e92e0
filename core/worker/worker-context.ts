import type { Worker } from '@media-jobs/video/decide';
import type { Chunking } from '../jobs/chunking.ts';
import type { StepsInBucket } from '../jobs/completed-steps.ts';
import type { Clock } from '../jobs/ports.ts';
import type { JobIn } from '../jobs/record.ts';
import type { JobStage } from '../jobs/states.ts';

/** The progress of a job, as its worker reports it. */
export type ProgressReport = {
  stage: JobStage;
  /** The completed share of the stage, from 0 to 1. */
  fraction: number;
  /** Wall seconds until the encoding ends, by ffmpeg's estimate. */
  remainingSeconds?: number;
  /** The number of chunks and the reason for it, once decided. */
  chunking?: Chunking;
  /** Who does each step, once decided. */
  workers?: (Worker | null)[];
  /** The share of each step in the work, once it is forecast. */
  shares?: readonly number[];
  /** Steps whose outputs are stored: recorded at once. */
  completedSteps?: StepsInBucket;
};

/** The job that a worker processes. */
export type WorkerContext = {
  job: JobIn<'processing'>;
  report: (progress: ProgressReport) => void;
  /** Aborts when the lease is lost or the deadline has passed. */
  signal: AbortSignal;
  deadline: Date;
};

/** Wall seconds that a command may take until the deadline. */
export function remainingSeconds(clock: Clock, deadline: Date): number {
  return (deadline.getTime() - clock.now().getTime()) / 1000;
}
